import { ServiceError } from '../../../plan/errors.ts'
import type { Database } from '../database.ts'
import type { Duck } from '../instance.ts'
import { TYPE_ID } from '../logical-type.ts'
import { checkLayout } from './check-layout.ts'
import { appendOverloads, copyOverloads, type OverloadCopy } from './copy-overloads.ts'
import { CPP_STRING_BYTES, readCppString, writeCppString } from './cpp-string.ts'
import { ENTRY, type FunctionKind, LAYOUTS, OVERLOAD, SET } from './function-layout.ts'
import { guard, unfit } from './misfit.ts'
import { type Overload, readOverloads, type SimpleTypeName, writeType } from './overload.ts'

/** The scalar functions and aggregates of a database. They can be changed until statements run. Each method throws `internal` on failure. */
export interface FunctionCatalog {
  /** The overloads of a function. Empty: there is no function of this kind and name. */
  overloads(kind: FunctionKind, name: string): readonly Overload[]
  /**
   * Gives a function copies of overloads, which may be of another function. A copy replaces the overload that has the same
   * parameters. If there is no function of this name, it is made.
   */
  register(name: string, copies: readonly [OverloadCopy, ...OverloadCopy[]]): void
  /** Gives a function of DuckDB a second name. */
  alias(name: string, kind: FunctionKind, of: string): void
  /**
   * Registers a cast that does what one of DuckDB's own does. The types of both must have the same form in memory. Where DuckDB
   * casts on its own, it goes on to do so.
   */
  cast(from: SimpleTypeName, to: SimpleTypeName, like: CastTypes): void
}

/** The types of a cast. */
interface CastTypes {
  readonly from: SimpleTypeName
  readonly to: SimpleTypeName
}

/** Bytes to allocate for an `ExtensionLoader`. It has 44. */
const LOADER_BYTES = 128
/** The name of the loader, which nothing shows. */
const LOADER_NAME = 'service'

/** Opens the functions of a database. Throws `internal` if they are not as in duckdb-wasm 1.32.0. */
export function openFunctionCatalog(database: Database): FunctionCatalog {
  const { duck } = database
  const { api, memory } = duck
  const loader = createLoader(database)

  const entry = (name: string): number => {
    using scratch = memory.scratch()
    const text = scratch.bytes(CPP_STRING_BYTES)
    writeCppString(memory, text, name)
    return api.loader_find_function(loader, text)
  }
  const overloads = (kind: FunctionKind, name: string): readonly Overload[] => {
    const entryAddress = guard(`finding ${name}`, () => entry(name))
    if (entryAddress === 0 || memory.views().u8[entryAddress + ENTRY.kind] !== LAYOUTS[kind].entryKind)
      return []
    const set = entryAddress + ENTRY.set
    const read = readCppString(memory, set + SET.name) === name ? readOverloads(duck, kind, set) : null
    return read ?? unfit(name)
  }
  const register = (name: string, copies: readonly [OverloadCopy, ...OverloadCopy[]]): void => {
    const { kind } = copies[0].of
    guard(`registering ${name}`, () => {
      using scratch = memory.scratch()
      const set = scratch.bytes(SET.bytes)
      const begin = copyOverloads(duck, kind, copies)
      const end = begin + copies.length * LAYOUTS[kind].bytes
      const [firstOverload] = kind === 'aggregate' ? overloads(kind, name) : []
      if (firstOverload !== undefined) return appendOverloads(duck, firstOverload, begin, copies.length)
      writeCppString(memory, set + SET.name, name)
      memory.views().u32.set([begin, end, end], (set + SET.begin) / 4)
      if (kind === 'scalar') alignResults(duck, overloads(kind, name), copies)
      if (kind === 'scalar') api.loader_register_scalar_set(loader, set)
      else api.loader_register_aggregate_set(loader, set)
    })
  }
  checkLayout(duck, overloads)
  return {
    overloads,
    register,
    alias(name, kind, of) {
      const [first, ...others] = overloads(kind, of).map((overload) => ({ of: overload }))
      if (first === undefined) throw new ServiceError('internal', `DuckDB has no ${kind} function ${of}`)
      register(name, [first, ...others])
    },
    cast(from, to, like) {
      // These types are those of the cast as long as the database is there.
      const type = (name: SimpleTypeName) => api.duckdb_create_logical_type(TYPE_ID[name])
      const [source, target, likeSource, likeTarget] = [type(from), type(to), type(like.from), type(like.to)]
      const bind = duck.addCallback(4, (cast = 0, input = 0) =>
        api.default_cast(cast, input, likeSource, likeTarget),
      )
      guard(`registering a cast from ${from} to ${to}`, () => {
        const cost = api.implicit_cast_cost(source, target)
        api.loader_register_cast(loader, source, target, bind, cost)
      })
    },
  }
}

/** The handle of a database is a `DuckDB`'s shared pointer, whose first member is one to the `DatabaseInstance`. */
function createLoader({ duck, handle }: Database): number {
  const { api, memory } = duck
  const { u32 } = memory.views()
  const instance = u32[(u32[handle / 4] ?? 0) / 4] ?? 0
  const loader = memory.allocate(LOADER_BYTES)
  using scratch = memory.scratch()
  const name = scratch.bytes(CPP_STRING_BYTES)
  writeCppString(memory, name, LOADER_NAME)
  guard('making a loader', () => api.loader_create(loader, instance, name))
  if (memory.views().u32[loader / 4] !== instance) unfit('a loader')
  return loader
}

/** DuckDB replaces overloads that have the parameters and the result of a copy, so those that will be replaced get its result first. */
function alignResults(duck: Duck, overloads: readonly Overload[], copies: readonly OverloadCopy[]): void {
  for (const { of, parameters = of.parameters, returns = of.returns } of copies) {
    const replaced = overloads.find((overload) => overload.parameters.join() === parameters.join())
    if (replaced === undefined || replaced.returns === returns) continue
    if (!writeType(duck, replaced.address + OVERLOAD.returns, returns)) unfit('a result')
  }
}
