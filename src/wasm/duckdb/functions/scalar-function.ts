import { ServiceError } from '../../../plan/errors.ts'
import { getOrMake } from '../../../plan/get-or-make.ts'
import { SUCCESS } from '../database.ts'
import type { Duck } from '../instance.ts'
import { type LogicalType, TYPE_ID, withLogicalType } from '../logical-type.ts'
import { type ArgumentVector, argumentVector } from './argument-vector.ts'
import { type ResultVector, resultVector } from './result-vector.ts'

/** A function of the values of a row that is implemented in JavaScript. */
export interface ScalarFunction {
  readonly name: string
  readonly overloads: readonly ScalarOverload[]
}

export interface ScalarOverload {
  readonly parameters: readonly LogicalType[]
  /** The type of any number of further arguments. */
  readonly rest?: LogicalType
  readonly returns: LogicalType
  /** Whether it is also called for rows in which an argument is null. Otherwise their result is null. */
  readonly takesNulls?: boolean
  /** Looks at the arguments of a call before it runs. May throw. */
  check?(args: readonly CallArgument[]): void
  /** Looks at the arguments of so many rows, for which `compute` is called then. */
  prepareRows?(args: readonly ArgumentVector[], rows: number): void
  /** Sets the result of one row. An error that is thrown ends the statement with its message. */
  compute(args: readonly ArgumentVector[], result: ResultVector, row: number): void
}

/** What is known of an argument before a call runs. */
export interface CallArgument {
  /** What it is in all rows. Null: it may differ from row to row. */
  readonly constant: 'null' | 'a value' | null
  readonly isText: boolean
  /** The text that it is in all rows. Null: it is no such text. */
  readonly text: string | null
}

/** Registers a function for all connections of a database. Throws `internal` if there is one of this name. */
export function registerScalarFunction(duck: Duck, connection: number, scalar: ScalarFunction): void {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const name = scratch.text(scalar.name)
  const set = api.duckdb_create_scalar_function_set(name)
  /** Overloads that are computed in the same way share a callback, because each one is a module. */
  const pointers = new Map<ScalarOverload['compute'], number>()
  const pointerOf = (overload: ScalarOverload): number => {
    return getOrMake(pointers, overload.compute, () => duck.addCallback(3, compute(duck, overload)))
  }
  for (const overload of scalar.overloads) {
    const fn = api.duckdb_create_scalar_function()
    api.duckdb_scalar_function_set_name(fn, name)
    for (const parameter of overload.parameters)
      withLogicalType(duck, parameter, (type) => api.duckdb_scalar_function_add_parameter(fn, type))
    if (overload.rest !== undefined)
      withLogicalType(duck, overload.rest, (type) => api.duckdb_scalar_function_set_varargs(fn, type))
    withLogicalType(duck, overload.returns, (type) => api.duckdb_scalar_function_set_return_type(fn, type))
    if (overload.takesNulls) api.duckdb_scalar_function_set_special_handling(fn)
    if (overload.check)
      api.duckdb_scalar_function_set_bind(fn, duck.addCallback(1, bindOverload(duck, overload)))
    api.duckdb_scalar_function_set_function(fn, pointerOf(overload))
    api.duckdb_add_scalar_function_to_set(set, fn)
    duck.destroy('duckdb_destroy_scalar_function', fn)
  }
  const state = api.duckdb_register_scalar_function_set(connection, set)
  duck.destroy('duckdb_destroy_scalar_function_set', set)
  if (state !== SUCCESS)
    throw new ServiceError('internal', `DuckDB does not take the function ${scalar.name}`)
}

function bindOverload(duck: Duck, overload: ScalarOverload): (info: number) => void {
  const { api } = duck
  return (info) =>
    reportErrors(duck, 'duckdb_scalar_function_bind_set_error', info, () => {
      const count = Number(api.duckdb_scalar_function_bind_get_argument_count(info))
      const args = Array.from({ length: count }, (_, index) => {
        const expression = api.duckdb_scalar_function_bind_get_argument(info, BigInt(index))
        const type = api.duckdb_expression_return_type(expression)
        const isText = api.duckdb_get_type_id(type) === TYPE_ID.varchar
        duck.destroy('duckdb_destroy_logical_type', type)
        const { constant, text } = constantOf(duck, info, expression, isText)
        duck.destroy('duckdb_destroy_expression', expression)
        return { constant, isText, text }
      })
      overload.check?.(args)
    })
}

function constantOf(
  duck: Duck,
  info: number,
  expression: number,
  isText: boolean,
): Pick<CallArgument, 'constant' | 'text'> {
  const { api, memory } = duck
  if (api.duckdb_expression_is_foldable(expression) === 0) return { constant: null, text: null }
  using scratch = memory.scratch()
  const [context, value] = [scratch.bytes(4), scratch.bytes(4)]
  api.duckdb_scalar_function_get_client_context(info, context)
  const error = api.duckdb_expression_fold(memory.views().u32[context / 4] ?? 0, expression, value)
  const folded = memory.views().u32[value / 4] ?? 0
  // What cannot be evaluated is an error when the call runs.
  const isNull = folded !== 0 && api.duckdb_is_null_value(folded) !== 0
  const text = isText && folded !== 0 && !isNull ? memory.takeText(api.duckdb_get_varchar(folded)) : null
  api.duckdb_destroy_value(value)
  api.duckdb_destroy_client_context(context)
  duck.destroy('duckdb_destroy_error_data', error)
  return { constant: isNull ? 'null' : 'a value', text }
}

function compute(duck: Duck, overload: ScalarOverload) {
  const { api } = duck
  return (info = 0, chunk = 0, output = 0): void =>
    reportErrors(duck, 'duckdb_scalar_function_set_error', info, () => {
      const rows = Number(api.duckdb_data_chunk_get_size(chunk))
      const count = Number(api.duckdb_data_chunk_get_column_count(chunk))
      const args = Array.from({ length: count }, (_, index) =>
        argumentVector(duck, api.duckdb_data_chunk_get_vector(chunk, BigInt(index))),
      )
      using result = resultVector(duck, output)
      overload.prepareRows?.(args, rows)
      for (let row = 0; row < rows; row++)
        if (!overload.takesNulls && args.some((argument) => argument.isNull(row))) result.setNull(row)
        else overload.compute(args, result, row)
    })
}

type SetError = 'duckdb_scalar_function_set_error' | 'duckdb_scalar_function_bind_set_error'

/** Callbacks must not throw: DuckDB gets the message of an error instead. */
function reportErrors(duck: Duck, setError: SetError, info: number, work: () => void): void {
  try {
    work()
  } catch (error) {
    using scratch = duck.memory.scratch()
    duck.api[setError](info, scratch.text(messageOf(error)))
  }
}

function messageOf(error: unknown): string {
  // C++ that such functions call throws only where it gets no memory.
  if (error instanceof WebAssembly.Exception) return 'The memory for SQL is used up.'
  return error instanceof Error ? error.message : String(error)
}
