//! Choice bits, the correlation of the extension's sender, what is transferred, and the field of the check: all in the
//! crate `dkls23`, as signing and key generation call it.

use super::secret;
use crate::case::{Call, Case, Class};
use dkls23::utilities::ot::base::OTReceiver;
use dkls23::utilities::ot::extension::{field_mul, OTEReceiver, OTESender, BATCH_SIZE, KAPPA, OT_SECURITY};
use k256::elliptic_curve::ops::Reduce;
use k256::{FieldBytes, Scalar, Secp256k1};
use rand_core::{OsRng, RngCore};
use std::hint::black_box;
use std::rc::Rc;

const SESSION: &[u8] = b"timing";
/// Of a multiplication in signing.
const WIDTH: u8 = 4;

pub fn cases() -> Vec<Case> {
    let extension = Rc::new(Extension::new());
    let (for_choices, for_correlation, for_transferred) = (extension.clone(), extension.clone(), extension);
    vec![
        Case::new("base OT: choice bit", base_choice),
        Case::new("OT extension: choice bits", move |class| for_choices.clone().choices(class)),
        Case::new("OT extension: correlation of the sender", move |class| for_correlation.clone().correlation(class)),
        Case::new("OT extension: scalars that are transferred", move |class| for_transferred.clone().scalars(class)),
        Case::new("OT extension: field of the check", field),
    ]
}

fn bits(class: Class, count: u16) -> Vec<bool> {
    (0..count).map(|_| OsRng.next_u32() & 1 == 1).map(|bit| bit && class == Class::Random).collect()
}

fn base_choice(class: Class) -> Call {
    // A bit that is drawn would be that of the fixed class half of the time.
    let bit = class == Class::Random;
    let receiver = OTReceiver { seed: [7; 32] };
    Box::new(move || {
        black_box(receiver.run_phase1::<Secp256k1>(SESSION, black_box(bit)));
    })
}

/// The secrets of a pair after key generation, without the base OTs that lead to them.
struct Extension {
    receiver: OTEReceiver,
}

impl Extension {
    fn new() -> Self {
        let seeds = || (0..KAPPA).map(|_| secret(Class::Random)).collect();
        Self { receiver: OTEReceiver { seeds0: seeds(), seeds1: seeds() } }
    }

    fn sender(&self, class: Class) -> OTESender {
        let correlation = bits(class, KAPPA);
        let pairs = self.receiver.seeds0.iter().zip(&self.receiver.seeds1);
        let chosen = pairs.zip(&correlation).map(|((zero, one), bit)| if *bit { *one } else { *zero });
        OTESender { seeds: chosen.collect(), correlation }
    }

    fn choices(self: Rc<Self>, class: Class) -> Call {
        let choices = bits(class, BATCH_SIZE);
        Box::new(move || {
            black_box(self.receiver.run_phase1(SESSION, black_box(&choices)).is_ok());
        })
    }

    fn correlation(self: Rc<Self>, class: Class) -> Call {
        let (sender, scalars) = (self.sender(class), scalars_of(Class::Random));
        self.run(sender, scalars)
    }

    fn scalars(self: Rc<Self>, class: Class) -> Call {
        let (sender, scalars) = (self.sender(Class::Random), scalars_of(class));
        self.run(sender, scalars)
    }

    fn run(&self, sender: OTESender, scalars: Vec<Vec<Scalar>>) -> Call {
        let (_, data) = self.receiver.run_phase1(SESSION, &bits(Class::Random, BATCH_SIZE)).expect("right lengths");
        Box::new(move || {
            let sent = black_box(&sender).run::<Secp256k1>(SESSION, WIDTH, black_box(&scalars), &data);
            assert!(sent.is_ok(), "the check of the extension passes");
            black_box(sent.is_ok());
        })
    }
}

/// As in a multiplication: one scalar for all transfers of a row.
fn scalars_of(class: Class) -> Vec<Vec<Scalar>> {
    let scalar = || Scalar::reduce(&FieldBytes::from(secret(class)));
    (0..WIDTH).map(|_| vec![scalar(); usize::from(BATCH_SIZE)]).collect()
}

fn field(class: Class) -> Call {
    const BYTES: usize = OT_SECURITY as usize / 8;
    let (left, right) = (secret(class), secret(Class::Random));
    Box::new(move || {
        black_box(field_mul(black_box(&left[..BYTES]), black_box(&right[..BYTES])).is_ok());
    })
}
