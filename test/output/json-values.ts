import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  Map_,
  Null,
  Struct,
  TimestampMillisecond,
  Uint64,
  Utf8,
} from 'apache-arrow'

export type Random = (below: number) => number

/** A value as apache-arrow takes it, and as it stands in JSON. */
export interface Pair {
  readonly value: unknown
  readonly json: unknown
}

/** A type with a maker of its values. */
export interface Made {
  readonly type: DataType
  pair(): Pair
}

const same = (value: unknown): Pair => ({ value, json: value })

const CHARACTERS = [
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  '\0',
  '\u001f',
  '\u007f',
  '\u2028',
  'é',
  '漢',
  '🌊',
  '\ud800',
  'a',
  ',',
  '/',
]

function text(random: Random): Pair {
  const value = Array.from({ length: random(6) }, () => CHARACTERS[random(CHARACTERS.length)]).join('')
  return { value, json: value.toWellFormed() }
}

function integer(value: bigint): Pair {
  const isExact = value >= -(2n ** 53n) && value <= 2n ** 53n
  return { value, json: isExact ? Number(value) : String(value) }
}

function float(value: number): Pair {
  return { value, json: Number.isFinite(value) ? value : null }
}

function bytes(random: Random, length: number): Pair {
  const value = Uint8Array.from({ length }, () => random(256))
  return { value, json: Buffer.from(value).toString('base64') }
}

/** A time in this century, with milliseconds or without. */
function instant(random: Random): Date {
  return new Date(946_684_800_000 + random(2 ** 31) * 1000 + (random(2) === 0 ? 0 : random(1000)))
}

function isoOf(time: Date): string {
  return time.toISOString().replace(/(?:\.000)?Z$/, '')
}

function decimal(random: Random): Pair {
  const unscaled = BigInt(random(2 ** 31)) ** 3n * (random(2) === 0 ? 1n : -1n)
  const words = Uint32Array.from({ length: 4 }, (_, i) => Number((unscaled >> BigInt(32 * i)) & 0xffff_ffffn))
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(4, '0')
  const sign = unscaled < 0n ? '-' : ''
  return { value: words, json: `${sign}${digits.slice(0, -3)}.${digits.slice(-3)}` }
}

const EDGES = [
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n),
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  0n,
  -1n,
]
const FLOATS = [
  0,
  -0,
  1,
  0.1,
  1e300,
  5e-324,
  -1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
]

/** Types without inner values, and how a value of each is made. */
export const FLAT: readonly (readonly [() => DataType, (random: Random) => Pair])[] = [
  [() => new Bool(), (random) => same(random(2) === 1)],
  [() => new Int8(), (random) => same(random(256) - 128)],
  [() => new Int32(), (random) => same(random(2 ** 31) - 2 ** 30)],
  [() => new Int64(), (random) => integer(EDGES[random(EDGES.length)] ?? 0n)],
  [() => new Uint64(), (random) => integer(BigInt.asUintN(64, EDGES[random(EDGES.length)] ?? 0n))],
  [() => new Float32(), (random) => float([0.25, -0, 1.5, Number.NaN, 2 ** 20][random(5)] ?? 0)],
  // The fewest digits that are the same number in 32 bits.
  [() => new Float32(), () => ({ value: Math.fround(0.1), json: 0.1 })],
  [
    () => new Float64(),
    (random) => float(random(2) === 0 ? random(2 ** 31) / 7 : (FLOATS[random(FLOATS.length)] ?? 0)),
  ],
  [() => new Decimal(3, 38, 128), decimal],
  [() => new Utf8(), text],
  [() => new Binary(), (random) => bytes(random, random(5))],
  [() => new FixedSizeBinary(3), (random) => bytes(random, 3)],
  [
    () => new DateDay(),
    (random) => {
      const day = new Date(Math.floor(instant(random).getTime() / 86_400_000) * 86_400_000)
      return { value: day, json: day.toISOString().slice(0, 10) }
    },
  ],
  [
    () => new TimestampMillisecond(),
    (random) => {
      const time = instant(random)
      return { value: time, json: isoOf(time) }
    },
  ],
  [
    () => new TimestampMillisecond('UTC'),
    (random) => {
      const time = instant(random)
      return { value: time, json: `${isoOf(time)}Z` }
    },
  ],
  [() => new Null(), () => same(null)],
]

const NOTHING: Made = { type: new Null(), pair: () => same(null) }

/** A random type with a maker of its values, a seventh of which are null. */
export function randomType(random: Random, depth: number): Made {
  const made = depth > 0 ? nested(random, depth) : flat(random)
  return { type: made.type, pair: () => (random(7) === 0 ? same(null) : made.pair()) }
}

function flat(random: Random): Made {
  const [type, pair] = FLAT[random(FLAT.length)] ?? [() => new Null(), () => same(null)]
  return { type: type(), pair: () => pair(random) }
}

function nested(random: Random, depth: number): Made {
  const kind = random(8)
  if (kind > 4) return flat(random)
  if (kind === 4) {
    const pair = (): Pair => same(['red', 'gr"een', 'blue'][random(3)])
    return { type: new Dictionary(new Utf8(), new Int8()), pair }
  }
  const members = Array.from({ length: kind === 2 ? 1 + random(3) : 1 }, () => inner(random, depth - 1))
  const [only = NOTHING] = members
  const fields = members.map(({ type }, i) => new Field(`"${i}\n`, type, true))
  const size = 1 + random(3)
  const some = (length: number): Pair => {
    const pairs = Array.from({ length }, () => only.pair())
    return { value: pairs.map(({ value }) => value), json: pairs.map(({ json }) => json) }
  }
  if (kind === 0)
    return { type: new List(fields[0] ?? new Field('', new Null())), pair: () => some(random(4)) }
  if (kind === 1)
    return { type: new FixedSizeList(size, fields[0] ?? new Field('', new Null())), pair: () => some(size) }
  if (kind === 2) {
    const pair = (): Pair => {
      const pairs = members.map((member, i) => [`"${i}\n`, member.pair()] as const)
      return {
        value: Object.fromEntries(pairs.map(([name, { value }]) => [name, value])),
        json: Object.fromEntries(pairs.map(([name, { json }]) => [name, json])),
      }
    }
    return { type: new Struct(fields), pair }
  }
  const entry = new Struct<{ key: DataType; value: DataType }>([
    new Field('key', new Utf8(), false),
    new Field('value', only.type, true),
  ])
  const pair = (): Pair => {
    const pairs = Array.from({ length: random(3) }, (_, i) => [`k${i}`, only.pair()] as const)
    return {
      value: new Map(pairs.map(([key, { value }]) => [key, value])),
      json: pairs.map(([key, { json }]) => [key, json]),
    }
  }
  return { type: new Map_(new Field('entries', entry, false)), pair }
}

/** Within other values there are no dictionaries. */
function inner(random: Random, depth: number): Made {
  for (;;) {
    const made = randomType(random, depth)
    if (!(made.type instanceof Dictionary)) return made
  }
}
