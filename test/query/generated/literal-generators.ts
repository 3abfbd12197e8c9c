import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import type { Cell } from '../table.ts'

const UNIT_NS = { second: 10n ** 9n, millisecond: 10n ** 6n, microsecond: 10n ** 3n, nanosecond: 1n }
const DAY_NS = 86_400n * 10n ** 9n
/** 2020-01-01. */
const DAY_2020 = 18_262n

/** Values with which comparisons often go wrong. They are few, so that cells and literals are often equal. */
export function interesting(type: DataType): readonly Exclude<Cell, null>[] {
  switch (type.kind) {
    case 'bool':
      return [false, true]
    case 'int': {
      const min = type.signed ? -(2n ** BigInt(type.bits - 1)) : 0n
      const max = type.signed ? -min - 1n : 2n ** BigInt(type.bits) - 1n
      const beyondDouble = type.bits === 64 ? [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n] : []
      return [
        0n,
        1n,
        2n,
        3n,
        min,
        min + 1n,
        max - 1n,
        max,
        ...(type.signed ? [-1n, -2n] : []),
        ...beyondDouble,
      ]
    }
    case 'float': {
      const values = [0, -0, 0.1, 0.5, 1, 1.5, 2, -1, -1.5, 1e-7, 1e21, 16_777_217, 3.4e38, -3.4e38]
      const finite = type.bits === 32 ? values.map(Math.fround) : values
      return [...finite, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    }
    case 'decimal': {
      const max = 10n ** BigInt(type.precision) - 1n
      const one = 10n ** BigInt(type.scale)
      return [0n, 1n, -1n, one, one + 1n, one / 2n, -one, max, -max]
    }
    case 'date':
      return [-1n, 0n, DAY_2020, DAY_2020 + 1n]
    case 'time': {
      const second = UNIT_NS.second / UNIT_NS[type.unit]
      return [0n, 1n, second, second + 1n, 43_200n * second, 86_400n * second - 1n]
    }
    case 'timestamp': {
      const base = (DAY_2020 * DAY_NS) / UNIT_NS[type.unit]
      return [-1n, 0n, base - 1n, base, base + 1n, base + UNIT_NS.second / UNIT_NS[type.unit]]
    }
    default:
      return ['', 'a', 'ab', 'B', 'é', '水', '\u{1F600}', '\uFFFD', '10', '2020-01-01T00:00:00', 'it\'s "so"']
  }
}

/** Values that `eq`, `neq` and lists take. */
export function equalLiterals(type: DataType): fc.Arbitrary<unknown> {
  return type.kind === 'bool' ? fc.oneof(fc.boolean(), literals(type)) : literals(type)
}

/** JSON values equal to, near and beyond the interesting ones. */
export function literals(type: DataType): fc.Arbitrary<unknown> {
  const raw = (text: string): unknown => JSON.rawJSON(text)
  const value = fc.constantFrom(...interesting(type))
  switch (type.kind) {
    case 'bool':
      return value.map(String)
    case 'int': {
      const beyond = fc.constantFrom('1e20', '-1e20', '300', '-129', '0.5', '-0.5', '-0', '1.5e0')
      const beside = fc
        .tuple(value, fc.constantFrom('', '.5', '.0', '.999'))
        .map(([v, tail]) => `${v}${tail}`)
      const number = fc.oneof({ arbitrary: beside, weight: 3 }, beyond)
      return fc.oneof({ arbitrary: number.map(raw), weight: 4 }, number)
    }
    case 'float': {
      const beyond = fc.constantFrom('1e39', '-1e39', '0.1', '0.30000001', '9007199254740993', '3.4028235e38')
      const finite = value.map((v) => String(Number.isFinite(v) ? v : 2))
      const special = fc.constantFrom('NaN', 'inf', '-inf').map((text) => text.replace('inf', 'Infinity'))
      return fc.oneof({ arbitrary: fc.oneof(finite, finite, beyond).map(raw), weight: 4 }, special)
    }
    case 'decimal':
      return fc
        .tuple(value, fc.constantFrom('', '5', '0', '00001'), fc.boolean())
        .map(([v, tail, asText]) =>
          asText ? `${pointed(v, type.scale)}${tail}` : raw(`${pointed(v, type.scale)}${tail}`),
        )
    case 'date':
      return value.chain((v) => times(BigInt(v) * DAY_NS))
    case 'timestamp':
      return value.chain((v) => times(BigInt(v) * UNIT_NS[type.unit]))
    case 'time':
      return fc
        .tuple(value, fc.constantFrom(0n, 1n))
        .map(([v, ns]) => iso(BigInt(v) * UNIT_NS[type.unit] + ns).slice('1970-01-01T'.length))
    default:
      return value
  }
}

/** An instant, or one that is a nanosecond later, in each of the forms in which it can be written. */
function times(ns: bigint): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(0n, 1n, 1_000_000n),
      fc.constantFrom('T', 'T', ' '),
      fc.constantFrom('', '', 'Z', '+01:00'),
    )
    .map(([later, separator, offset]) => iso(ns + later).replace('T', separator) + offset)
}

function iso(ns: bigint): string {
  const fraction = ((ns % 10n ** 9n) + 10n ** 9n) % 10n ** 9n
  const seconds = new Date(Number((ns - fraction) / 10n ** 6n)).toISOString().slice(0, 19)
  return fraction === 0n ? seconds : `${seconds}.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`
}

/** The text of a decimal with its point, from its unscaled value. All digits of the scale are written. */
function pointed(unscaled: Exclude<Cell, null>, scale: number): string {
  const digits = String(unscaled)
    .replace('-', '')
    .padStart(scale + 1, '0')
  return `${String(unscaled).startsWith('-') ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
