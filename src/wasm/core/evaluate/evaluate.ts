import { ServiceError } from '../../../plan/errors.ts'
import { columnsOfExpressions, type TypedExpression } from '../../../plan/expression.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Column, Mask } from '../column.ts'
import type { Core } from '../core.ts'
import type { Instance } from '../instance.ts'
import { compile } from './compile.ts'
import type { EvaluatedRows } from './evaluated-rows.ts'
import { isFloat, type Kind, kindOf } from './kinds.ts'
import type { WrittenProgram } from './program.ts'

type Evaluating = Pick<Core, 'evaluate' | 'evaluateMask'>

interface Program extends Pick<WrittenProgram, 'failures' | 'places' | 'kinds'> {
  readonly handle: number
}

interface Compiled {
  readonly expressions: readonly TypedExpression[]
  readonly kinds: string
  readonly key: string
  readonly program: Program
}

function isSame(before: Compiled, expressions: readonly TypedExpression[], kinds: string): boolean {
  return (
    before.kinds === kinds &&
    before.expressions.length === expressions.length &&
    before.expressions.every((each, index) => each === expressions[index])
  )
}

/** Rows that are evaluated before it is asked whether the query was cancelled. */
const ROWS_A_CALL = 65_536

/** Programs that are kept, each of which takes 20 KB for every value that is needed at the same time. */
const KEPT_PROGRAMS = 8

export function createEvaluating(
  instance: Instance,
  { share, constant, free, valueAt }: Pick<Core, 'share' | 'constant' | 'free' | 'valueAt'>,
): Evaluating {
  /** Their handles by what they consist of. */
  const programs = new Map<string, number>()
  /** Those of expressions that were compiled before, which units of one task share. */
  const compiled = new WeakMap<TypedExpression, Compiled>()
  const call = instance.call

  function programOf(expressions: readonly TypedExpression[], types: ReadonlyMap<string, DataType>): Program {
    const [first] = expressions
    const kinds = [...types.values()].map(kindOf).join()
    const before = first && compiled.get(first)
    if (before && isSame(before, expressions, kinds) && programs.get(before.key) === before.program.handle)
      return before.program
    const { words, ...written } = compile(expressions, types, fold)
    const bytes = new Uint8Array(words.buffer)
    const key = Buffer.from(bytes).toString('latin1')
    // What is told of failures may differ from that of the program which is kept.
    const program = { ...written, handle: programs.get(key) ?? keep(bytes) }
    programs.set(key, program.handle)
    if (first) compiled.set(first, { expressions, kinds, key, program })
    return program
  }

  /** Makes a program of its bytes, and room for it. */
  function keep(bytes: Uint8Array): number {
    instance.setArguments(bytes)
    const handle = call('program_new')
    const [oldest] = programs
    if (oldest !== undefined && programs.size >= KEPT_PROGRAMS) {
      programs.delete(oldest[0])
      call('program_free', oldest[1])
    }
    return handle
  }

  /** The value of an expression without columns. Undefined: it fails, which matters only if a row is asked for. */
  function fold(expression: TypedExpression): Scalar | null | undefined {
    const rows = { rows: 1, mask: null, column: noColumn, checkCancelled() {} }
    try {
      const [column] = evaluate([expression], rows)
      if (column === undefined) return undefined
      const value = valueAt(column, expression.type, 0)
      free(column)
      return value
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_sql') return undefined
      throw error
    }
  }

  /** Runs a program of expressions, and gives what `take` makes of its results. */
  function run<T>(
    expressions: readonly TypedExpression[],
    rows: EvaluatedRows,
    take: (evaluation: number, program: number, only: number) => T,
  ): T {
    const names = columnsOfExpressions(expressions)
    const columns = names.map((name) => rows.column(name))
    const types = new Map(columns.map(({ type }, index): [string, DataType] => [names[index] ?? '', type]))
    const program = programOf(expressions, types)
    const handles = new Uint8Array(Uint32Array.from(columns.map(({ column }) => column)).buffer)
    instance.setArguments(handles)
    const mask = rows.mask ?? 0
    const evaluation = call('evaluation_new', program.handle, rows.rows, mask)
    try {
      let outcome = 0
      while (outcome === 0) {
        outcome = call('evaluation_advance', evaluation, program.handle, mask, ROWS_A_CALL)
        if (outcome === 0) {
          rows.checkCancelled()
          instance.setArguments(handles)
        }
      }
      if (outcome > 1) throw failureOf(program, outcome - 2)
      return take(evaluation, program.handle, columns[0]?.column ?? 0)
    } finally {
      if (!instance.isDead()) call('evaluation_free', evaluation)
    }
  }

  function failureOf({ failures, places, kinds }: Program, instruction: number): ServiceError {
    const kind = kinds[instruction] ?? 'i64'
    const text = kind === 'text' ? failedText() : ''
    const [a, b] = [0, 2].map((at) => numberOf(kind, instance.result(at), instance.result(at + 1)))
    const tell = failures[instruction]
    const message = tell?.(a ?? 0, b ?? 0, text) ?? 'A row cannot be evaluated.'
    const place = places[instruction] ?? null
    if (place === null) return new ServiceError('invalid_sql', message)
    if ('at' in place) return new ServiceError('invalid_sql', message, { at: place.at })
    const placed =
      'path' in place ? `${place.path}: ${message}` : `${message} (in the view ${JSON.stringify(place.view)})`
    return new ServiceError('invalid_sql', placed)
  }

  /** The beginning of the text in the row that has failed. */
  function failedText(): string {
    const length = instance.result(3)
    if (length === 0) return ''
    return new TextDecoder().decode(instance.bytes(instance.result(2), length))
  }

  function evaluate(expressions: readonly TypedExpression[], rows: EvaluatedRows): readonly Column[] {
    const results = new Map<number, Column>()
    try {
      for (const indexes of together(expressions)) {
        const some = indexes.flatMap((index) => expressions[index] ?? [])
        const [first] = some
        if (some.length === 1 && first?.kind === 'column')
          results.set(indexes[0] ?? 0, share(rows.column(first.column).column))
        else if (some.length === 1 && first?.kind === 'constant')
          results.set(indexes[0] ?? 0, constant(first.type, first.value, rows.rows))
        else
          run(some, rows, (evaluation, program, only) => {
            for (const [output, index] of indexes.entries())
              results.set(index, call('evaluation_column', evaluation, program, output, only) as Column)
          })
      }
      return expressions.map((_, index) => results.get(index) as Column)
    } catch (error) {
      for (const column of results.values()) free(column)
      throw error
    }
  }

  return {
    evaluate,
    evaluateMask: (expression, rows) =>
      run(
        [expression],
        rows,
        (evaluation, program, only) => call('evaluation_mask', evaluation, program, 0, only) as Mask,
      ),
  }
}

/**
 * The indexes of expressions that one program computes: those of a single column, because a dictionary's is computed for its values,
 * those of several columns, and each column and constant by itself.
 */
function together(expressions: readonly TypedExpression[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  for (const [index, expression] of expressions.entries()) {
    const names = expression.kind === 'call' ? columnsOfExpressions([expression]) : []
    const key =
      expression.kind === 'call' ? (names.length === 1 ? `of ${names[0]}` : `of ${names.length > 1}`) : index
    const group = groups.get(String(key)) ?? []
    group.push(index)
    groups.set(String(key), group)
  }
  return [...groups.values()]
}

function noColumn(name: string): never {
  throw new TypeError(`column ${name} in a constant`)
}

/** A number from its 64 bits. */
function numberOf(kind: Kind, low: number, high: number): bigint | number {
  const bits = BigInt.asUintN(64, (BigInt(high) << 32n) | BigInt(low))
  if (isFloat(kind)) return new Float64Array(BigUint64Array.of(bits).buffer)[0] ?? 0
  return kind.startsWith('u') ? bits : BigInt.asIntN(64, bits)
}
