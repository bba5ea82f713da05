//! What `--optimize-png` would save, without doing it: the first rows of a few pictures are encoded again.
//!
//! The cost is bounded, whatever the site: pictures number 1, 2, 4, 8 … up to [`MAX_SAMPLES`] of them, of each at most
//! [`SAMPLE_BYTES`] of pixels. What these rows lose, all rows are taken to lose: where the top of a picture is plainer
//! than the rest of it, the estimate is too low, never far too high.

use schemars::JsonSchema;
use serde::Serialize;

use super::encode::encode;
use super::picture::{PngPicture, PngRows};

/// Pictures of which a part is encoded.
const MAX_SAMPLES: u64 = 4;
/// Bytes of rows that are encoded of each.
const SAMPLE_BYTES: usize = 128 << 10;
/// Sites with less are not worth a hint, and are not sampled.
const MIN_TOTAL_BYTES: u64 = 2 << 20;
/// The part of their bytes that pictures have to lose for a hint, as a divisor.
const MIN_SAVED_PART: u64 = 10;

/// What optimizing the PNG files of a site would save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PngSavings {
    /// PNG files that are large enough to be optimized.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// About so many of these would be saved.
    pub estimated_saving: u64,
    /// The number of files that the estimate is made from.
    pub sampled: u64,
}

/// Collects pictures as they are copied.
#[derive(Debug, Default)]
pub(crate) struct SavingsEstimate {
    files: u64,
    bytes: u64,
    samples: Vec<PngRows>,
}

impl SavingsEstimate {
    /// Notes a PNG file that is copied as it is.
    pub(crate) fn note(&mut self, bytes: &[u8]) {
        let Some(picture) = PngPicture::candidate(bytes) else { return };
        self.files += 1;
        self.bytes += bytes.len() as u64;
        if self.files.is_power_of_two() && (self.samples.len() as u64) < MAX_SAMPLES {
            self.samples.extend(picture.first_rows(SAMPLE_BYTES));
        }
    }

    /// The estimate; `None` if it is not worth a word.
    pub(crate) fn finish(self) -> Option<PngSavings> {
        if self.bytes < MIN_TOTAL_BYTES {
            return None;
        }
        let (mut before, mut saved) = (0, 0);
        for sample in &self.samples {
            before += sample.picture_bytes;
            saved += estimate_saving(sample);
        }
        // in 128 bits: the product of two sizes
        let estimated_saving = u128::from(self.bytes) * u128::from(saved) / u128::from(before.max(1));
        let estimated_saving = u64::try_from(estimated_saving).unwrap_or(u64::MAX);
        (estimated_saving >= self.bytes / MIN_SAVED_PART && estimated_saving > 0).then_some(PngSavings {
            files: self.files,
            bytes: self.bytes,
            estimated_saving,
            sampled: self.samples.len() as u64,
        })
    }
}

/// What a picture would lose if all its rows lost as much as these; nothing if that is less than a third of it, since it
/// stays as it is then.
fn estimate_saving(sample: &PngRows) -> u64 {
    let (rows, all_rows) = sample.rows_of;
    let after = encode(&sample.png).map_or(sample.packed_bytes, |out| out.len() as u64);
    let saved = sample.packed_bytes.saturating_sub(after).saturating_mul(all_rows) / rows.max(1);
    let saved = saved.min(sample.picture_bytes);
    if saved >= sample.picture_bytes / 3 { saved } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::tests::screenshot;
    use super::*;

    #[test]
    fn screenshots_that_are_packed_badly_are_worth_a_hint() {
        let mut estimate = SavingsEstimate::default();
        let picture = screenshot();
        for _ in 0..6 {
            estimate.note(&picture);
        }
        let bytes = 6 * picture.len() as u64;
        let savings = estimate.finish().expect("a hint");
        assert_eq!((savings.files, savings.bytes, savings.sampled), (6, bytes, 3), "numbers 1, 2 and 4");
        let real = bytes - 6 * encode(&picture).unwrap().len() as u64;
        assert!(savings.estimated_saving.abs_diff(real) < real / 10, "{savings:?} is not near {real}");
    }

    #[test]
    fn there_is_no_hint_where_little_is_gained() {
        let mut few = SavingsEstimate::default();
        few.note(&screenshot());
        assert_eq!(few.finish(), None, "less than two megabytes");
        let rows = PngPicture::candidate(&screenshot()).unwrap().first_rows(SAMPLE_BYTES).unwrap();
        let samples = vec![PngRows { packed_bytes: 600, ..rows }];
        let packed = SavingsEstimate { files: 9, bytes: MIN_TOTAL_BYTES, samples };
        assert_eq!(packed.finish(), None, "the rows have that few bytes already");
        let rows = PngPicture::candidate(&screenshot()).unwrap().first_rows(SAMPLE_BYTES).unwrap();
        let plain_top = PngRows { picture_bytes: 100 * rows.packed_bytes, ..rows };
        assert_eq!(estimate_saving(&plain_top), 0, "the bytes of the picture are elsewhere");
    }

    #[test]
    fn the_number_of_samples_is_bounded() {
        let mut estimate = SavingsEstimate::default();
        let picture = screenshot();
        for _ in 0..40 {
            estimate.note(&picture);
        }
        assert_eq!(estimate.samples.len() as u64, MAX_SAMPLES);
        assert!(estimate.samples.iter().all(|rows| rows.png.len() < SAMPLE_BYTES + 1000));
    }
}
