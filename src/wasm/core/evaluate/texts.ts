import type { Emit, Emitter } from './emitter.ts'
import type { Kind } from './kinds.ts'
import type { Operation, Value } from './program.ts'

/** Numbers of variants, as in `src/evaluate/kernels/texts.rs`. */
const CASES = ['lower', 'upper']
const SIDES = Object.freeze({ ltrim: 1, rtrim: 2, trim: 3 })

/** What is trimmed if nothing is named: the characters that Unicode calls space separators. */
const SPACES =
  '\u0020\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'

/** More characters than a text has. */
const ALL = 2n ** 40n

const strict =
  (emit: (emitter: Emitter, values: readonly Value[]) => Value): Emit =>
  (emitter, args) =>
    emit(
      emitter,
      args.map((arg) => arg(emitter)),
    )

const operation = (name: Operation, to: Kind): Emit =>
  strict((emitter, values) => emitter.operate(name, values, { to }))

const text = (emitter: Emitter, value: string): Value =>
  emitter.constant('text', { kind: 'bytes', value: Buffer.from(value) })
const long = (emitter: Emitter, value: bigint): Value => emitter.constant('i64', { kind: 'int', value })

const likeInLowerCase: Emit = strict((emitter, [value = 0, pattern = 0]) => {
  const lower = (each: Value): Value => emitter.operate('change_case', [each, 0])
  return emitter.operate('like', [lower(value), asciiInLowerCase(emitter, pattern) ?? lower(pattern)], {
    to: 'bool',
  })
})

/** A constant in lower case, which is a constant still. Null: it is none, or has other letters than those of ASCII. */
function asciiInLowerCase(emitter: Emitter, value: Value): Value | null {
  const given = emitter.isConstant(value) ? emitter.textOf(value) : null
  const isAscii = given !== null && Buffer.byteLength(given) === given.length
  return isAscii ? text(emitter, given.toLowerCase()) : null
}

const substring: Emit = strict((emitter, [value = 0, from = 0, length]) =>
  emitter.operate('slice', [value, from, length ?? long(emitter, ALL)]),
)

/** The first characters, or all but so many at the end. */
const left: Emit = strict((emitter, [value = 0, count = 0]) => {
  const number = emitter.integerOf(count)
  if (number >= 0n) return emitter.operate('slice', [value, long(emitter, 1n), count])
  return emitter.operate('slice', [value, count, long(emitter, -ALL)])
})

const right: Emit = strict((emitter, [value = 0, count = 0]) => {
  const number = emitter.integerOf(count)
  if (number > 0n) return emitter.operate('slice', [value, long(emitter, -number), long(emitter, ALL)])
  const from = number === 0n ? ALL : 1n - number
  return emitter.operate('slice', [value, long(emitter, from), long(emitter, ALL)])
})

const trimmed = (sides: number): Emit =>
  strict((emitter, [value = 0, set]) => emitter.operate('trim', [value, set ?? text(emitter, SPACES), sides]))

/** Texts one after the other, of which those that are null are left out. */
const concatenation: Emit = strict((emitter, values) => {
  const empty = text(emitter, '')
  return values
    .map((value) => emitter.operate('choose', [value, empty, emitter.operate('is_null', [value])]))
    .reduce((all, value) => emitter.operate('join', [all, value]))
})

/** What is written for the kernels of texts (`src/plan/kernels/text-kernels.ts`). */
export const EMITTED_TEXTS: readonly (readonly [name: string, emit: Emit])[] = [
  ['like', operation('like', 'bool')],
  ['ilike', likeInLowerCase],
  ['starts_with', operation('starts_with', 'bool')],
  ['ends_with', operation('ends_with', 'bool')],
  ['contains', operation('contains', 'bool')],
  ['length', operation('length', 'i64')],
  ...CASES.map(
    (name, number) =>
      [name, strict((emitter, [value = 0]) => emitter.operate('change_case', [value, number]))] as const,
  ),
  ['substring', substring],
  ['left', left],
  ['right', right],
  ...Object.entries(SIDES).map(([name, sides]) => [name, trimmed(sides)] as const),
  ['replace', operation('replace', 'text')],
  ['concat', concatenation],
  ['||', operation('join', 'text')],
  ['split_part', operation('split_part', 'text')],
  ['strpos', operation('position', 'i64')],
]
