import type { TypedExpression } from '../../../../../plan/expression.ts'
import type { DataType } from '../../../../../plan/types/schema.ts'
import { decline } from '../../declined.ts'
import type { Argument } from '../literal-constant.ts'
import { type BindFunction, describe, type FunctionFamily, inType, makeCall, named } from '../make-call.ts'

const BOOL: DataType = Object.freeze({ kind: 'bool' })
const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })

function textOf(name: string, arg: Argument, at: number | null): TypedExpression {
  const isText =
    arg.kind === 'literal' ? arg.form === 'string' || arg.form === 'null' : arg.type.kind === 'utf8'
  return isText ? inType(arg, UTF8, at) : decline(`${name} of ${describe([arg])}`, at)
}

/** So many texts, of which the result has a type. */
const ofTexts =
  (count: number, result: DataType): BindFunction =>
  (name, args, at) => {
    if (args.length !== count) return decline(`the function ${name}`, at)
    const texts = args.map((arg) => textOf(name, arg, at))
    return makeCall(name, texts, result, at)
  }

const test = ofTexts(2, BOOL)
const length = ofTexts(1, INT64)

/** By the names that DuckDB has for the operators LIKE and NOT LIKE. */
const like: BindFunction = (_, args, at) => test('like', args, at)
const notLike: BindFunction = (_, args, at) => makeCall('not', [test('like', args, at)], BOOL, at)

const ilike: BindFunction = (_, args, at) => test('ilike', args, at)
const notIlike: BindFunction = (_, args, at) => makeCall('not', [test('ilike', args, at)], BOOL, at)

/** Texts, and then numbers of characters or of parts, which are BIGINTs. So many of both are needed, and as many are taken at most. */
const madeOf =
  (
    texts: readonly [least: number, most: number],
    numbers: readonly [least: number, most: number] = [0, 0],
  ): BindFunction =>
  (name, args, at) => {
    const count = Math.min(args.length, texts[1])
    const rest = args.length - count
    if (count < texts[0] || rest < numbers[0] || rest > numbers[1]) return decline(`the function ${name}`, at)
    const bound = args.map((arg, index) => (index < count ? textOf(name, arg, at) : numberOf(name, arg, at)))
    return makeCall(name, bound, UTF8, at)
  }

function numberOf(name: string, arg: Argument, at: number | null): TypedExpression {
  const isInteger =
    arg.kind === 'literal' ? arg.form === 'integer' : arg.type.kind === 'int' && arg.type.signed
  return isInteger ? inType(arg, INT64, at) : decline(`${name} with ${describe([arg])}`, at)
}

const concat: BindFunction = (name, args, at) =>
  makeCall(
    name,
    args.map((arg) => textOf(name, arg, at)),
    UTF8,
    at,
  )

const ofOne = madeOf([1, 1])
const substring = madeOf([1, 1], [1, 2])
const trimmed = madeOf([1, 2])
const position = ofTexts(2, INT64)

/** Functions of texts. */
export const OF_TEXTS: FunctionFamily = [
  ['~~', like],
  ['!~~', notLike],
  ['~~*', ilike],
  ['!~~*', notIlike],
  ['||', madeOf([2, 2])],
  ['concat', concat],
  ...['lower', 'upper'].map((name) => [name, ofOne] as const),
  ['lcase', named('lower', ofOne)],
  ['ucase', named('upper', ofOne)],
  ['substring', substring],
  ['substr', named('substring', substring)],
  ...['left', 'right'].map((name) => [name, madeOf([1, 1], [1, 1])] as const),
  ...['trim', 'ltrim', 'rtrim'].map((name) => [name, trimmed] as const),
  ['replace', madeOf([3, 3])],
  ['split_part', madeOf([2, 2], [1, 1])],
  ...['strpos', 'instr', 'position'].map((name) => [name, named('strpos', position)] as const),
  ['contains', test],
  ['starts_with', test],
  ['ends_with', test],
  ...['prefix', '^@'].map((name) => [name, named('starts_with', test)] as const),
  ['suffix', named('ends_with', test)],
  ['length', length],
  ...['len', 'char_length', 'character_length'].map((name) => [name, named('length', length)] as const),
]
