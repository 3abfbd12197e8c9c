//! Neighbouring rows of one group.

use std::ops::Range;

/// Groups of which each has several sums of its own, so that neighbouring rows of one group do not wait for each other.
pub const LANED_GROUPS: usize = 64;

/// Rows of a run on average from which on it is short: of neighbours in one of many groups, as in a cell of a grid, each sum would wait for the
/// one before, so that the sum of a run is made before it is added. Few groups have lanes instead.
const SHORT_ROWS: usize = 4;

/// Rows of a run on average from which on it is long, as along the first axis of an array: then it is taken as rows of the only group, which
/// takes some 20 ns more for each run.
const LONG_ROWS: usize = 256;

/// Neighbours of one group that a long run mostly has.
const LOOK_ROWS: usize = 64;

/// How rows of groups follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// One by one, or in runs that are shorter than is worth it.
    None,
    Short,
    Long,
}

/// How the rows of a block, each of one of `count` groups, follow each other.
pub fn runs_of(groups: &[u32], count: usize) -> Runs {
    let are_few = count <= LANED_GROUPS;
    // Two looks mostly tell that they are not in long runs.
    let begins_run =
        |at: usize| groups[at..].first_chunk().is_some_and(|some: &[u32; LOOK_ROWS]| is_one(some, some[0]));
    if are_few && !begins_run(0) && !begins_run(groups.len() / 2) {
        return Runs::None;
    }
    let changes: u32 = groups.iter().zip(groups.iter().skip(1)).map(|(a, b)| u32::from(a != b)).sum();
    let runs = changes as usize + 1;
    if runs * LONG_ROWS <= groups.len() {
        Runs::Long
    } else if !are_few && runs * SHORT_ROWS <= groups.len() {
        Runs::Short
    } else {
        Runs::None
    }
}

/// Calls `f` with the group of each run of neighbouring rows, and where these are. `runs` tells whether most are long.
#[inline(always)]
pub fn each_run(groups: &[u32], runs: Runs, mut f: impl FnMut(usize, Range<usize>)) {
    let mut from = 0;
    while let Some(&group) = groups.get(from) {
        let rest = &groups[from..];
        let whole = if runs == Runs::Long { whole_chunks(rest, group) } else { 0 };
        let len = whole + rest[whole..].iter().take_while(|&&other| other == group).count();
        f(group as usize, from..from + len);
        from += len;
    }
}

/// How many rows at the front are of a group, as far as they are whole chunks.
#[inline(always)]
fn whole_chunks(groups: &[u32], group: u32) -> usize {
    let (some, _) = groups.as_chunks::<CHUNK>();
    some.iter().take_while(|some| is_one(some, group)).count() * CHUNK
}

/// Rows that are compared at once.
const CHUNK: usize = 16;

#[inline(always)]
fn is_one<const ROWS: usize>(groups: &[u32; ROWS], group: u32) -> bool {
    groups.iter().fold(0, |bits, &other| bits | (other ^ group)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_all_rows_in_their_order() {
        for run in [1, 2, 4, 15, 16, 17, 255, 256, 257, 500, 2048] {
            for len in [0, 1, 16, 100, 2047, 2048] {
                let groups: Vec<u32> = (0..len).map(|row| (row / run * 37 % 300) as u32).collect();
                let (mut short, mut long) = (Vec::new(), Vec::new());
                each_run(&groups, Runs::Short, |group, rows| short.push((group, rows)));
                each_run(&groups, Runs::Long, |group, rows| long.push((group, rows)));
                let expected = (0..len).step_by(run);
                let expected: Vec<_> = expected.map(|row| (groups[row] as usize, row..(row + run).min(len))).collect();
                assert_eq!(short, expected);
                assert_eq!(long, expected);
                let kind = match len.div_ceil(run).max(1) {
                    runs if runs * 256 <= len => Runs::Long,
                    runs if runs * 4 <= len => Runs::Short,
                    _ => Runs::None,
                };
                assert_eq!(runs_of(&groups, 300), kind, "{len} rows in runs of {run}");
                let of_few = if kind == Runs::Long { kind } else { Runs::None };
                assert_eq!(runs_of(&groups, 64), of_few, "{len} rows in runs of {run}");
            }
        }
        let late: Vec<u32> = (0..2048).map(|row| if row < 5 { row % 2 } else { row / 1000 }).collect();
        assert_eq!(runs_of(&late, 3), Runs::Long);
    }
}
