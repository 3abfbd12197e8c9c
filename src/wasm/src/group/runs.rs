//! Neighbouring rows of one group.

use std::ops::Range;

/// Groups of which each has several sums of its own, so that neighbouring rows of one group do not wait for each other.
pub const LANED_GROUPS: usize = 64;

/// Rows that a run has on average at least, so that its sum is made before it is added: of neighbours in one of many groups, as in a cell of
/// a grid, each sum would wait for the one before.
const RUN_ROWS: usize = 4;

/// The same where there are few groups, whose lanes are as fast as shorter runs; and the least rows of a run that is worth lanes of its own.
pub const LONG_RUN_ROWS: usize = 32;

/// Whether rows of one of `count` groups are so often neighbours that what is made of each run is added at once.
pub fn are_in_runs(groups: &[u32], count: usize) -> bool {
    if count > LANED_GROUPS {
        return has_runs_of(groups, RUN_ROWS);
    }
    // Two looks mostly tell that they are not.
    let begins_run = |at: usize| groups[at..].first_chunk().is_some_and(|some: &[u32; 16]| is_one(some, some[0]));
    (begins_run(0) || begins_run(groups.len() / 2)) && has_runs_of(groups, LONG_RUN_ROWS)
}

fn has_runs_of(groups: &[u32], rows: usize) -> bool {
    let changes: u32 = groups.iter().zip(groups.iter().skip(1)).map(|(a, b)| u32::from(a != b)).sum();
    (changes as usize + 1) * rows <= groups.len()
}

/// Calls `f` with the group of each run of neighbouring rows, and where these are.
#[inline(always)]
pub fn each_run(groups: &[u32], mut f: impl FnMut(usize, Range<usize>)) {
    let mut from = 0;
    while let Some(&group) = groups.get(from) {
        let len = run_len(&groups[from..], group);
        f(group as usize, from..from + len);
        from += len;
    }
}

/// How many rows at the front are of a group.
#[inline(always)]
fn run_len(groups: &[u32], group: u32) -> usize {
    let is_same = |&&other: &&u32| other == group;
    let short = groups.iter().take(16).take_while(is_same).count();
    if short < 16 {
        return short;
    }
    let (some, _) = groups.as_chunks::<16>();
    let long = some.iter().take_while(|some| is_one(some, group)).count() * 16;
    long + groups[long..].iter().take_while(is_same).count()
}

#[inline(always)]
fn is_one(groups: &[u32; 16], group: u32) -> bool {
    groups.iter().fold(0, |bits, &other| bits | (other ^ group)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_all_rows_in_their_order() {
        for run in [1, 2, 15, 16, 17, 31, 32, 33, 500, 2048] {
            for len in [0, 1, 16, 100, 2047, 2048] {
                let groups: Vec<u32> = (0..len).map(|row| (row / run * 37 % 300) as u32).collect();
                let mut expected = 0;
                each_run(&groups, |group, rows| {
                    assert_eq!(rows, expected..(expected + run).min(len));
                    assert!(groups[rows.clone()].iter().all(|&other| other as usize == group));
                    expected = rows.end;
                });
                assert_eq!(expected, len);
                let runs = len.div_ceil(run);
                assert_eq!(are_in_runs(&groups, 300), runs * 4 <= len && len > 0);
                assert!(!are_in_runs(&groups, 64) || runs * 32 <= len);
            }
        }
        assert!(are_in_runs(&[3; 2048], 64) && are_in_runs(&[3; 32], 2) && !are_in_runs(&[3; 31], 2));
        let late: Vec<u32> = (0..2048).map(|row| if row < 20 { row % 2 } else { row / 1000 }).collect();
        assert!(are_in_runs(&late, 3));
    }
}
