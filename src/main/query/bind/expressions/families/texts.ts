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

/** Functions of texts. */
export const OF_TEXTS: FunctionFamily = [
  ['~~', like],
  ['!~~', notLike],
  ['contains', test],
  ['starts_with', test],
  ['ends_with', test],
  ...['prefix', '^@'].map((name) => [name, named('starts_with', test)] as const),
  ['suffix', named('ends_with', test)],
  ['length', length],
  ...['len', 'char_length', 'character_length'].map((name) => [name, named('length', length)] as const),
]
