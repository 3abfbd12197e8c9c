/*
 * Formats of times have the codes of the crate chrono, as the functions of DataFusion take them. Functions of the engine write them in
 * those of DuckDB: `_strftime`, `_filled` and `_strptime`. A format is constant, so DuckDB does that once, when it binds a statement.
 */

/** Separates formats in a text that `_strptime` makes, and parts of one that `_filled` takes. */
const SEPARATOR = 'chr(31)'

/** The text of a TIMESTAMP in a format. Both are expressions of DuckDB, and the format is constant. */
export function formatTime(time: string, format: string): string {
  const codes = codesOf(format, 6)
  const text = `strftime(${time}, ${codes})`
  return `CASE WHEN contains(${codes}, ${SEPARATOR}) THEN _filled(${text}) ELSE ${text} END`
}

/** The text of a TIMESTAMP_NS in a format. */
export function formattedInNanoseconds(time: string, format: string): string {
  const codes = codesOf(format, 9)
  const text = `strftime(CAST(${time} AS TIMESTAMP), ${codes})`
  const digits = `lpad(CAST((epoch_ns(${time}) % 1000 + 1000) % 1000 AS VARCHAR), 3, '0')`
  return `CASE WHEN contains(${codes}, ${SEPARATOR}) THEN _filled(${text} || ${digits}) ELSE ${text} END`
}

/** When DuckDB makes a macro, it refuses a format that is not constant, but does not look into a list with a parameter. */
function codesOf(format: string, digits: 6 | 9): string {
  return `list_transform([${format}], lambda each: _strftime(each, '${digits}'))[1]`
}

/** The most formats of one call. A macro has a fixed number of parameters. */
export const MOST_FORMATS = 8

const NAMES = Array.from({ length: MOST_FORMATS }, (_, index) =>
  index === 0 ? 'format' : `format${index + 1}`,
)

/** The parameters of a macro for formats, of which the first has to be given. */
export const FORMAT_PARAMETERS = NAMES.map((name, index) => (index === 0 ? name : `${name} := NULL`)).join(
  ', ',
)

/** The TIMESTAMP that a text is in the first of `FORMAT_PARAMETERS` that fits, or null if the first is null. A fraction has up to six digits. */
export function parseTime(text: string): string {
  return `CASE WHEN format IS NOT NULL THEN CAST(strptime(${text}, ${formatsOf(6)}) AS TIMESTAMP) END`
}

/**
 * As `parsed`, a TIMESTAMP_NS. Formats with an offset are tried last, by themselves: `strptime` has one type for all of its formats,
 * and with an offset that one has microseconds. Each of the lists ends with a format that nothing fits, since it must not be empty.
 */
export function parsedInNanoseconds(text: string): string {
  const formats = formatsOf(9)
  const zoned = `list_filter(${formats}, lambda each: contains(each, '%z'))`
  const local = `list_filter(${formats}, lambda each: NOT contains(each, '%z'))`
  const last = `[chr(1) || '%n']`
  const offset = `CAST(CAST(strptime(${text}, list_concat(${zoned}, ${last})) AS TIMESTAMP) AS TIMESTAMP_NS)`
  return `CASE WHEN format IS NULL THEN NULL
    WHEN len(${zoned}) = 0 THEN CAST(strptime(${text}, list_concat(${local}, ${last})) AS TIMESTAMP_NS)
    ELSE coalesce(CAST(try_strptime(${text}, list_concat(${local}, ${last})) AS TIMESTAMP_NS), ${offset}) END`
}

function formatsOf(digits: 6 | 9): string {
  const each = `string_split(_strptime(each, '${digits}'), ${SEPARATOR})`
  return `flatten(list_transform([${NAMES.join(', ')}], lambda each: coalesce(${each}, [chr(1)])))`
}

/** Seconds since 1970 of a TIMESTAMP, rounded down, as BIGINT. Null: it is infinite. DuckDB evaluates equal expressions once. */
export function secondsOf(timestamp: string): string {
  const micros = `epoch_us(${timestamp})`
  return `(${micros} // 1000000 - CAST(${micros} % 1000000 < 0 AS BIGINT))`
}
