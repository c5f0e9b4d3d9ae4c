//! Shares in the exponent on secp256k1: whether public points lie on one polynomial, and where it leads. Public only.

use k256::{AffinePoint, ProjectivePoint, Scalar};
use std::collections::BTreeMap;

/// Whether the points are those of a polynomial of degree `threshold` - 1 through the public key. Neighbouring windows
/// of `threshold` points share all but one and the key: if each leads to the key, all lie on one polynomial.
pub fn fit_the_key(points: &BTreeMap<u8, AffinePoint>, threshold: u8, public_key: &AffinePoint) -> bool {
    let points: Vec<(u8, AffinePoint)> = points.iter().map(|(index, point)| (*index, *point)).collect();
    let threshold = usize::from(threshold);
    points.len() >= threshold && points.windows(threshold).all(|window| interpolated(window, 0) == *public_key)
}

/// The point at `at` of the polynomial through `points`, whose indexes are distinct.
pub fn interpolated(points: &[(u8, AffinePoint)], at: u8) -> AffinePoint {
    let scalar = |index: u8| Scalar::from(u64::from(index));
    let mut sum = ProjectivePoint::IDENTITY;
    for (index, point) in points {
        let (mut numerator, mut denominator) = (Scalar::ONE, Scalar::ONE);
        for (other, _) in points.iter().filter(|(other, _)| other != index) {
            numerator *= scalar(at) - scalar(*other);
            denominator *= scalar(*index) - scalar(*other);
        }
        let inverse = denominator.invert().expect("distinct indexes have differences");
        sum += ProjectivePoint::from(*point) * (numerator * inverse);
    }
    sum.to_affine()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(scalar: u64) -> AffinePoint {
        (ProjectivePoint::GENERATOR * Scalar::from(scalar)).to_affine()
    }

    #[test]
    fn points_of_one_polynomial_fit_and_lead_anywhere() {
        // 5 + 7x + 2x²
        let value = |x: u64| point(5 + 7 * x + 2 * x * x);
        let points: BTreeMap<u8, AffinePoint> = (1..=5u8).map(|x| (x, value(u64::from(x)))).collect();
        assert!(fit_the_key(&points, 3, &point(5)));
        assert!(!fit_the_key(&points, 3, &point(6)));
        assert!(!fit_the_key(&points, 2, &point(5)), "a higher degree is seen");
        for wrong in 1..=5 {
            let mut points = points.clone();
            points.insert(wrong, point(1));
            assert!(!fit_the_key(&points, 3, &point(5)), "point {wrong} is off");
        }
        let some = [(1, value(1)), (3, value(3)), (4, value(4))];
        assert_eq!(interpolated(&some, 2), value(2));
        assert_eq!(interpolated(&some, 0), point(5));
    }
}
