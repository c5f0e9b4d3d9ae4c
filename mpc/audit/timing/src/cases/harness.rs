//! Tries the harness: a comparison that ends at the first difference has to be found, and the same secrets under two
//! names must not be.

use super::secret;
use crate::case::{Call, Case, Class, Expected};
use std::hint::black_box;

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("harness: comparison that ends early", early).expects(Expected::Leak),
        Case::new("harness: no difference", alike).expects(Expected::Nothing),
    ]
}

/// Against the fixed secret: all bytes are looked at, or hardly any.
fn early(class: Class) -> Call {
    let (known, given) = (secret(Class::Fixed), secret(class));
    Box::new(move || {
        let mut is_equal = true;
        for (known, given) in black_box(&known).iter().zip(black_box(&given)) {
            if black_box(known != given) {
                is_equal = false;
                break;
            }
        }
        black_box(is_equal);
    })
}

fn alike(_: Class) -> Call {
    let (known, given) = (secret(Class::Fixed), secret(Class::Random));
    Box::new(move || {
        black_box(black_box(&known) == black_box(&given));
    })
}
