import { parseInstant } from '../../../../plan/types/instant.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { type DataType, SECOND_DIGITS, type TimeUnit } from '../../../../plan/types/schema.ts'

/** What a text looks like. The number is that of the digits of a time's fraction. */
type Kind = 'bool' | 'int' | 'float' | 'date' | 'text' | number

const INTEGER = /^-?\d+$/
/** Zeros before other digits are a part of an identifier. */
const PADDED = /^-?0\d/
const DECIMAL = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const SPECIAL = /^-?(?:nan|inf(?:inity)?)$/i
const DATE = /^\d{4}-\d\d-\d\d$/
/** A date and a time of day, with an offset between -23:59 and +23:59 or without one. */
const TIMESTAMP =
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.(?<fraction>\d{1,9}))?)?(?: ?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/

const UTF8: DataType = Object.freeze({ kind: 'utf8' })
const BOOL: DataType = Object.freeze({ kind: 'bool' })
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })
const DAY: DataType = Object.freeze({ kind: 'date', unit: 'day' })

const DAY_NS = 86_400_000_000_000n
const INT64_MIN = -(1n << 63n)
const INT64_MAX = (1n << 63n) - 1n

/**
 * The type of texts, told as those of a CSV column are (docs/reference/csv.md). Nulls and blanks tell nothing. Null: there is nothing else.
 * A longer list has the same type, or a wider one; nothing is wider than text.
 */
export function typeOfTexts(texts: Iterable<string | null>): DataType | null {
  const kinds = new Set<Kind>()
  for (const text of texts) {
    if (text === null) continue
    const value = trim(text)
    if (value === '') continue
    const kind = kindOf(value)
    if (kind === 'text') return UTF8
    kinds.add(kind)
  }
  if (kinds.size === 0) return null
  const type = typeOfKinds(kinds)
  if (type.kind !== 'timestamp' || type.unit !== 'nanosecond') return type
  // Nanoseconds hold the years 1677 to 2262 only.
  for (const text of texts)
    if (text !== null && trim(text) !== '' && scalarOf(text, type) === null) return UTF8
  return type
}

/**
 * The value of a text in the type of a list that has it. Null: it has nothing but blanks, which are characters only in text, or the
 * type cannot hold it.
 */
export function scalarOf(text: string, type: DataType): Scalar | null {
  if (type.kind === 'utf8') return { kind: 'bytes', value: new TextEncoder().encode(text) }
  const value = trim(text)
  if (value === '') return null
  switch (type.kind) {
    case 'bool':
      return { kind: 'bool', value: value.toLowerCase() === 'true' }
    case 'int':
      return { kind: 'int', value: BigInt(value) }
    case 'float':
      return { kind: 'float', value: floatOf(value) }
    case 'date':
      return timeOf(value, DAY_NS)
    case 'timestamp':
      return timeOf(value, 10n ** BigInt(9 - SECOND_DIGITS[type.unit]))
    default:
      return null
  }
}

/** A text without the blanks around it, which count for nothing unless it stays text. */
function trim(text: string): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
}

function kindOf(text: string): Kind {
  if (INTEGER.test(text)) {
    const isHeld = !PADDED.test(text) && text.length <= 20 && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
    return isHeld ? 'int' : 'text'
  }
  if (DECIMAL.test(text) || SPECIAL.test(text)) return 'float'
  if (/^(?:true|false)$/i.test(text)) return 'bool'
  const isDate = DATE.test(text)
  const time = isDate ? null : TIMESTAMP.exec(text)
  if ((!isDate && time === null) || parseInstant(text, null) === null) return 'text'
  return isDate ? 'date' : (time?.groups?.['fraction']?.length ?? 0)
}

function typeOfKinds(kinds: ReadonlySet<Kind>): DataType {
  const [only] = kinds
  if (kinds.size === 1 && only === 'bool') return BOOL
  if (kinds.size === 1 && only === 'int') return INT64
  if (kinds.size === 1 && only === 'date') return DAY
  const all = [...kinds]
  if (all.every((kind) => kind === 'int' || kind === 'float')) return FLOAT64
  const digits = all.filter((kind) => typeof kind === 'number')
  // Dates among times are their midnights.
  if (digits.length + (kinds.has('date') ? 1 : 0) < all.length) return UTF8
  return { kind: 'timestamp', unit: unitOf(Math.max(...digits)), zone: null }
}

function unitOf(digits: number): TimeUnit {
  if (digits === 0) return 'second'
  if (digits <= 3) return 'millisecond'
  return digits <= 6 ? 'microsecond' : 'nanosecond'
}

function floatOf(text: string): number {
  if (!SPECIAL.test(text)) return Number(text)
  if (/nan/i.test(text)) return Number.NaN
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function timeOf(text: string, unitNs: bigint): Scalar | null {
  const instant = parseInstant(text, null)
  const value = instant === null ? null : instant / unitNs
  return value === null || value < INT64_MIN || value > INT64_MAX ? null : { kind: 'int', value }
}
