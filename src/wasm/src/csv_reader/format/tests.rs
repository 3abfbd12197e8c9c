use super::super::instant;
use super::*;

fn read(format: &str, text: &str) -> Option<Instant> {
    Format::new(format.as_bytes()).unwrap().instant(text.as_bytes())
}

#[test]
fn by_hand() {
    for (format, text, iso) in [
        ("%d.%m.%Y", "29.02.2024", Some("2024-02-29")),
        ("%d.%m.%Y", "1.2.2024", Some("2024-02-01")),
        ("%d.%m.%Y", "29.02.2023", None),
        ("%d.%m.%Y", "29.02.2024 ", None),
        ("%d.%m.%Y", "", None),
        ("%d.%m.%Y", "29.02.24", None),
        ("%m/%d/%y", "02/29/24", Some("2024-02-29")),
        ("%m/%d/%y", "12/31/69", Some("1969-12-31")),
        ("%Y%m%d", "20240229", Some("2024-02-29")),
        ("%Y%m%d", "2024229", None),
        ("%Y%m%d%H", "2024022907", Some("2024-02-29T07:00:00")),
        ("%Y%j", "2024060", Some("2024-02-29")),
        ("%Y-%j", "2023-366", None),
        ("%Y-%j", "2024-366", Some("2024-12-31")),
        ("%Y-%j", "2024-0", None),
        ("%d-%b-%Y %H:%M", "29-FEB-2024 12:05", Some("2024-02-29T12:05:00")),
        ("%d %B %Y", "1 may 2024", Some("2024-05-01")),
        ("%d %B %Y", "1 ma 2024", None),
        ("%m/%d/%Y %I:%M:%S %p", "2/29/2024 12:00:01 AM", Some("2024-02-29T00:00:01")),
        ("%m/%d/%Y %I:%M:%S %p", "2/29/2024 1:00:01 pm", Some("2024-02-29T13:00:01")),
        ("%m/%d/%Y %I:%M:%S %p", "2/29/2024 13:00:01 PM", None),
        ("%d.%m.%Y %H:%M:%S.%f", "29.02.2024 23:59:59.123", Some("2024-02-29T23:59:59.123")),
        ("%d.%m.%Y %H:%M", "29.02.2024 24:00", None),
        ("%d.%m.%Y %H:%M%z", "29.02.2024 12:00+02:00", Some("2024-02-29T10:00:00")),
        ("%d.%m.%Y %H:%M %z", "29.02.2024 12:00 Z", Some("2024-02-29T12:00:00")),
        ("%d.%m.%Y %H:%M%z", "29.02.2024 12:00-0130", Some("2024-02-29T13:30:00")),
        ("%d%%%m%%%Y", "29%2%2024", Some("2024-02-29")),
    ] {
        let expected = iso.map(|iso| instant::instant(iso.as_bytes()).unwrap());
        assert_eq!(read(format, text), expected, "{format} {text}");
    }
    for text in [b"%".as_slice(), b"%q", b"%Y%"] {
        assert!(Format::new(text).is_err());
    }
}

#[test]
fn dates_are_those_without_a_time() {
    let format = |text: &[u8]| Format::new(text).unwrap();
    assert_eq!(format(b"%d/%m/%Y").date(b"02/01/1970"), Some(1));
    assert_eq!(format(b"%d/%m/%Y %H").date(b"02/01/1970 00"), None);
    assert!(format(b"%Y-%d-%m").is_like_iso() && !format(b"%Y-%m-%d %H").is_like_iso());
}
