import { ServiceError } from '../../../../plan/errors.ts'
import { shorten } from '../../../../wasm/duckdb/functions/regex.ts'

/** Separates formats from each other, and a text from what `filledText` needs beside it. */
const SEPARATOR = '\x1f'

/** Stands in a text where the value of a code belongs whose letter follows. */
const MARK = '\x02'

/** A code of chrono: `%`, a flag or a number of digits, and a letter. */
const CODE = /%(?:[-_0]?[A-Za-z]|:{1,3}z|#z|\.f|\.?[369]f|[+%])?/g

/** Codes that stand for several others. */
const COMPOSED: ReadonlyMap<string, string> = new Map([
  ['%c', '%a %b %e %T %Y'],
  ['%+', '%FT%T%.f%:z'],
  ['%v', '%e-%b-%Y'],
  ['%r', '%I:%M:%S %p'],
  ['%F', '%Y-%m-%d'],
  ['%D', '%m/%d/%y'],
  ['%x', '%m/%d/%y'],
  ['%T', '%H:%M:%S'],
  ['%X', '%H:%M:%S'],
  ['%R', '%H:%M'],
])

/** Codes that mean the same in DuckDB. */
const SAME: ReadonlySet<string> = new Set(
  [...'aAbBdjmyYHIpMSUWGVuw%']
    .map((letter) => `%${letter}`)
    .concat([...'dmyHIMSj'].map((letter) => `%-${letter}`)),
)

/** Codes that DuckDB writes by others, or as texts: all times are in UTC. */
const WRITTEN: ReadonlyMap<string, string> = new Map([
  ['%h', '%b'],
  ['%-e', '%-d'],
  ['%-k', '%-H'],
  ['%-l', '%-I'],
  ['%0e', '%d'],
  ['%0k', '%H'],
  ['%0l', '%I'],
  ['%z', '+0000'],
  ['%:z', '+00:00'],
  ['%::z', '+00:00:00'],
  ['%:::z', '+00'],
  ['%#z', '+00'],
  ['%Z', 'UTC'],
  ['%t', '\t'],
  ['%n', '\n'],
  // The letters `f` and `g` are microseconds and milliseconds in DuckDB.
  ['%.6f', '.%f'],
  ['%6f', '%f'],
  ['%.3f', '.%g'],
  ['%3f', '%g'],
])

/** Codes that DuckDB has no others for, by the letters behind `MARK`. */
const MARKED: ReadonlyMap<string, string> = new Map([
  ...[...'eklPgsCq'].map((letter) => [`%${letter}`, letter] as const),
  ['%_d', 'e'],
  ['%_H', 'k'],
  ['%_I', 'l'],
  ['%.f', 'f'],
])

/** What `filledText` needs beside a text: day, hours of 24 and of 12, AM or PM, ISO year, year, month, minute, second, fraction. */
const PARTS = ['%-d', '%-H', '%-I', '%p', '%G', '%Y', '%-m', '%-M', '%-S']

/**
 * The format of DuckDB's `strftime` for one of chrono. If it has codes that DuckDB does not have, their places are marked, and further
 * parts of the time follow, of which `filledText` makes their texts. These end with microseconds, behind which the text of a
 * time may have digits of nanoseconds: DuckDB's own `%n` damages what follows it. Throws `invalid_sql`, which names the code.
 */
export function strftimeFormat(format: string, hasNanoseconds: boolean): string {
  let hasMarks = false
  const mark = (letter: string): string => {
    hasMarks = true
    return MARK + letter
  }
  const codes = codesOf(format).replace(CODE, (code) => {
    if (SAME.has(code)) return code
    if (/^%\.?9?f$/.test(code) && code !== '%.f') {
      const point = code.includes('.') ? '.' : ''
      return `${point}${hasNanoseconds ? mark('n') : '%f000'}`
    }
    const letter = MARKED.get(code)
    if (letter !== undefined) return mark(letter)
    const written = WRITTEN.get(code)
    if (written === undefined) throw unknownCode(code, format)
    return written
  })
  return hasMarks ? [codes, ...PARTS, '%f'].join(SEPARATOR) : codes
}

/** The text that `strftime` has written in a format of `strftimeFormat`, with what its marks stand for. */
export function filledText(written: string): string {
  const [text = '', ...parts] = written.split(SEPARATOR)
  const [day = '', hour = '', hour12 = '', half = '', isoYear = '', year = '', month = '', ...rest] = parts
  const [minute = '', second = '', fraction = ''] = rest
  const nanoseconds = fraction.padEnd(9, '0')
  const values: Readonly<Record<string, () => string>> = {
    e: () => day.padStart(2),
    k: () => hour.padStart(2),
    l: () => hour12.padStart(2),
    P: () => half.toLowerCase(),
    g: () => isoYear.slice(-2),
    s: () => secondsSince1970([year, month, day, hour, minute, second].map(Number)),
    C: () => String(Math.floor(Number(year) / 100)).padStart(2, '0'),
    q: () => String(Math.ceil(Number(month) / 3)),
    n: () => nanoseconds,
    f: () => `.${nanoseconds}`.replace(/^\.0{9}$|(?:000){1,2}$/, ''),
  }
  const [start = '', ...marked] = text.split(MARK)
  return start + marked.map((part) => (values[part.charAt(0)]?.() ?? '') + part.slice(1)).join('')
}

function secondsSince1970([
  year = 0,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
]: number[]): string {
  const date = new Date(0)
  // Not `Date.UTC`, which takes the years 0 to 99 for those since 1900.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return String(date.getTime() / 1000)
}

/** Codes of chrono that DuckDB reads by others. */
const READ: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['%h', ['%b']],
  ...['%e', '%_d', '%0e', '%-e', '%-d'].map((code) => [code, ['%d']] as const),
  ...['%k', '%_H', '%0k', '%-k', '%-H'].map((code) => [code, ['%H']] as const),
  ...['%l', '%_I', '%0l', '%-l', '%-I'].map((code) => [code, ['%I']] as const),
  ['%P', ['%p']],
  ['%-m', ['%m']],
  ['%-M', ['%M']],
  ['%-S', ['%S']],
  ['%z', ['%z']],
  ['%:z', ['%z']],
  ['%::z', ['%z']],
  ['%:::z', ['%z']],
  // DuckDB's `%z` does not read a Z.
  ['%#z', ['%z', 'Z']],
  ['%Z', ['%Z']],
  ['%t', [' ']],
  ['%n', [' ']],
  // The fraction may be missing.
  ['%.f', ['.%f', '']],
  ...['%.3f', '%.6f', '%.9f'].map((code) => [code, ['.%f']] as const),
  ...['%f', '%3f', '%6f', '%9f'].map((code) => [code, ['%f']] as const),
])

/** The most formats that one of chrono stands for. */
const MOST_FORMATS = 64

/** What DuckDB reads a fraction of a second by: `%f` up to microseconds, and `%n` up to nanoseconds. */
export type Fraction = '%f' | '%n'

/**
 * The formats of DuckDB's `strptime` for one of chrono, in one text with `SEPARATOR` between them. Throws `invalid_sql`, which names
 * the code.
 */
export function strptimeFormats(format: string, fraction: Fraction): string {
  const whole = codesOf(format.replace(CODE, (code) => (code === '%+' ? '%FT%T%.f%#z' : code)))
  let formats = ['']
  let at = 0
  for (const { 0: code, index } of whole.matchAll(CODE)) {
    const read = READ.get(code) ?? (SAME.has(code) ? [code] : undefined)
    if (read === undefined) throw unknownCode(code, format)
    const literal = whole.slice(at, index)
    formats = formats.flatMap((each) => read.map((by) => each + literal + by))
    if (formats.length > MOST_FORMATS)
      throw new ServiceError(
        'invalid_sql',
        `The format '${shorten(format)}' has too many parts that may be missing.`,
      )
    at = index + code.length
  }
  const ended = formats.map((each) => each + whole.slice(at))
  // DuckDB rounds nanoseconds of a time with a zone, but refuses to read them by `%f`.
  return ended.map((each) => (each.includes('%z') ? each : each.replace('%f', fraction))).join(SEPARATOR)
}

/** Codes that stand for others are replaced. Throws `invalid_sql` if the format has no code: it may be one such as `YYYY-MM`. */
function codesOf(format: string): string {
  if (format !== '' && !format.includes('%'))
    throw new ServiceError('invalid_sql', `The format '${shorten(format)}' has no code. ${KNOWN}`)
  return withoutComposed(format)
}

function withoutComposed(format: string): string {
  const replaced = format.replace(CODE, (code) => COMPOSED.get(code) ?? code)
  return replaced === format ? format : withoutComposed(replaced)
}

function unknownCode(code: string, format: string): ServiceError {
  const isWritten = MARKED.has(code) || WRITTEN.has(code)
  const what = isWritten
    ? `the code ${code}, by which no text is read`
    : code === '%'
      ? 'a % that no code follows (a percent sign is %%)'
      : `the unknown code ${code}`
  return new ServiceError('invalid_sql', `The format '${shorten(format)}' has ${what}. ${KNOWN}`)
}

const KNOWN = 'Codes are %Y, %m, %d, %H, %M, %S, %.f, %j, %b, %a, %p, %F, %T, %z and others.'
