import { ServiceError } from '../../../plan/errors.ts'
import { CPP_STRING_BYTES, freeCppString, readCppString, writeCppString } from '../catalog/cpp-string.ts'
import { TABLE_BIND, TABLE_CALL, TABLE_FUNCTION, TYPE } from '../catalog/function-layout.ts'
import { unfit } from '../catalog/misfit.ts'
import { SUCCESS } from '../database.ts'
import type { Duck } from '../instance.ts'
import { withLogicalType } from '../logical-type.ts'
import { takeValue, type Value } from '../value.ts'
import { type BoundColumn, callbackGuard } from './table-function.ts'

/**
 * A table function that is bound and explained, and never runs. It takes any number of arguments, and others by these names, as a
 * macro does, but to DuckDB it is a table: EXPLAIN without the optimizer prints which of its columns the statement names.
 */
export interface ExplainedFunction {
  readonly name: string
  readonly parameters: readonly string[]
  bind(call: ExplainedCall): ExplainedTable
  /** Called with each error. DuckDB gets only its message. */
  failed(error: unknown): void
}

export interface ExplainedCall {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
  /** The names in its alias, as in `AS t(a, b)`, which stand in place of those of the first columns. */
  readonly aliases: readonly string[]
}

export interface ExplainedTable {
  readonly columns: readonly BoundColumn[]
  /** The name of the call in the plan that EXPLAIN prints. */
  readonly shownAs: string
}

/** Registers a function for all connections of a database. No function of DuckDB may have its name. */
export function registerExplainedFunction(
  duck: Duck,
  connection: number,
  { name, parameters, bind, failed }: ExplainedFunction,
): void {
  const { api, memory } = duck
  const guard = callbackGuard(duck, failed)
  const ended = duck.addCallback(1, () => {})
  using scratch = memory.scratch()
  const fn = api.duckdb_create_table_function()
  api.duckdb_table_function_set_name(fn, scratch.text(name))
  withLogicalType(duck, { kind: 'any' }, (any) => {
    for (const parameter of parameters)
      api.duckdb_table_function_add_named_parameter(fn, scratch.text(parameter), any)
    // The C API has no function for it. A simple type is what its first bytes say.
    const { u8 } = memory.views()
    u8.copyWithin(fn + TABLE_FUNCTION.further, any, any + TYPE.info)
  })
  api.duckdb_table_function_set_bind(
    fn,
    duck.addCallback(
      1,
      guard('duckdb_bind_set_error', (info) => {
        const { columns, shownAs } = bind(callAt(duck, info, parameters))
        for (const { name: column, type } of columns) {
          using text = memory.scratch()
          const address = text.text(column)
          withLogicalType(duck, type, (handle) => api.duckdb_bind_add_result_column(info, address, handle))
        }
        api.duckdb_bind_set_bind_data(info, 1, ended)
        rename(duck, info, shownAs)
      }),
    ),
  )
  const never = guard('duckdb_init_set_error', () => {
    throw new ServiceError('internal', `${name} is run`)
  })
  api.duckdb_table_function_set_init(fn, duck.addCallback(1, never))
  api.duckdb_table_function_set_function(fn, duck.addCallback(2, never))
  api.duckdb_table_function_supports_projection_pushdown(fn, 1)
  const state = api.duckdb_register_table_function(connection, fn)
  duck.destroy('duckdb_destroy_table_function', fn)
  if (state !== SUCCESS) throw new ServiceError('internal', `DuckDB does not take the function ${name}`)
}

function callAt(duck: Duck, info: number, parameters: readonly string[]): ExplainedCall {
  const { api, memory } = duck
  const count = Number(api.duckdb_bind_get_parameter_count(info))
  const positional = Array.from({ length: count }, (_, index) =>
    takeValue(duck, api.duckdb_bind_get_parameter(info, BigInt(index))),
  )
  using scratch = memory.scratch()
  const named = parameters.flatMap((parameter): [string, Value][] => {
    const value = api.duckdb_bind_get_named_parameter(info, scratch.text(parameter))
    return value === 0 ? [] : [[parameter, takeValue(duck, value)]]
  })
  return { positional, named: new Map(named), aliases: aliasesAt(duck, info) }
}

/** The C API does not tell the alias of a call. */
function aliasesAt({ memory }: Duck, info: number): readonly string[] {
  const { u32 } = memory.views()
  const word = (address: number): number => u32[address / 4] ?? 0
  const aliases = word(word(info + TABLE_BIND.input) + TABLE_BIND.call) + TABLE_CALL.aliases
  const [begin, end] = [word(aliases), word(aliases + 4)]
  return Array.from(
    { length: (end - begin) / CPP_STRING_BYTES },
    (_, index) => readCppString(memory, begin + index * CPP_STRING_BYTES) ?? unfit('an alias'),
  )
}

/** Gives the function another name in this call. EXPLAIN prints that, and no arguments. */
function rename({ memory }: Duck, info: number, name: string): void {
  const { u32 } = memory.views()
  const input = u32[(info + TABLE_BIND.input) / 4] ?? 0
  const written = (u32[(input + TABLE_BIND.function) / 4] ?? 0) + TABLE_FUNCTION.name
  freeCppString(memory, written)
  writeCppString(memory, written, name)
}
