//! When a node signs: windows of the week, in UTC.

use serde::{Deserialize, Deserializer};

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 86_400_000;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// 1970-01-01 was a Thursday.
const FROM_1970: [Day; 7] = [Day::Thu, Day::Fri, Day::Sat, Day::Sun, Day::Mon, Day::Tue, Day::Wed];

/// From `from` until before `to`, on the same day: a night is two windows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    #[serde(default)]
    days: Option<Vec<Day>>,
    #[serde(deserialize_with = "minute_of_day")]
    from: u64,
    #[serde(deserialize_with = "minute_of_day")]
    to: u64,
}

impl Window {
    pub fn covers(&self, at_ms: u64) -> bool {
        let day = FROM_1970[(at_ms / DAY_MS % 7) as usize];
        let minute = at_ms % DAY_MS / MINUTE_MS;
        self.days.as_ref().is_none_or(|days| days.contains(&day)) && (self.from..self.to).contains(&minute)
    }

    pub fn is_empty(&self) -> bool {
        self.from >= self.to
    }
}

/// "07:30"; "24:00" is the end of the day.
fn minute_of_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let invalid = || serde::de::Error::custom("an hour is written as \"07:30\", at most \"24:00\"");
    let (hours, minutes) = text.split_once(':').ok_or_else(invalid)?;
    let number = |digits: &str| -> Option<u64> {
        let plain = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        if plain {
            digits.parse().ok()
        } else {
            None
        }
    };
    match (number(hours), number(minutes)) {
        (Some(hours), Some(minutes)) if minutes < 60 && hours * 60 + minutes <= 24 * 60 => Ok(hours * 60 + minutes),
        _ => Err(invalid()),
    }
}
