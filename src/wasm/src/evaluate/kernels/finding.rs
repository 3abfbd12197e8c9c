//! Where a text has another one inside.

/// From this length on a part is sought in a time that does not depend on it.
const LONG: usize = 16;

/// The byte at which a part begins first.
pub fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let Some((first, rest)) = part.split_first() else { return Some(0) };
    let last = text.len().checked_sub(part.len())?;
    if part.len() >= LONG
        && let (Ok(text), Ok(part)) = (std::str::from_utf8(text), std::str::from_utf8(part))
    {
        return text.find(part);
    }
    (0..=last).find(|at| text[*at] == *first && text[at + 1..].starts_with(rest))
}
