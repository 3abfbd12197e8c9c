import { ServiceError } from '../../../plan/errors.ts'
import { errorInView, type NamedDefinition } from '../../../plan/statement/definition.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { run } from '../../../wasm/duckdb/database.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import { fullName } from '../catalog-database.ts'
import { duckError } from '../duck-error.ts'
import { VIEW_TEXT_FROM } from '../duck-message.ts'
import type { Explanations } from './explanations.ts'
import { checkText } from './operators.ts'
import { forgetBinding, type Scanning, TABLE_FUNCTION } from './scan-functions.ts'
import type { Unmade } from './scans.ts'

/**
 * The tables and views of the catalog in one DuckDB, as views there. They are made when a statement that may name them is prepared,
 * and made again when they have changed: DuckDB keeps the names and the types of a view's columns, and refuses the view when these
 * are others. What is bound keeps its plan when a view is replaced or dropped.
 */
export interface NamedViews {
  /**
   * Makes the views of a statement that are not there as they are defined now, and drops those of names that mean nothing to it.
   * What cannot be made is an error only if DuckDB misses it (`Scanning.unmade`). Throws `internal` if DuckDB fails.
   */
  make(statement: Scanning, connection: number): void
  /** Makes all views of a statement again that `make` has found there. False: it has made all of them, or there are none. */
  makeAgain(statement: Scanning, connection: number): boolean
  /** Whether the queries of all views certainly call no function whose value changes from one call to another. */
  areConstant(definitions: readonly NamedDefinition[]): boolean
}

/** The most views that are kept besides those of the present statement. */
const MOST_KEPT = 512

interface Made {
  readonly digest: string
  readonly isConstant: boolean
}

/** Blanks in front of the query of a view. A place from there on in an error of DuckDB is one in a view. */
const BLANKS = ' '.repeat(VIEW_TEXT_FROM)

export function createNamedViews(
  duck: Duck,
  catalog: string,
  { isConstant }: Pick<Explanations, 'isConstant'>,
): NamedViews {
  /** By the names in lower case, the one that was used last at the end. */
  const currentViews = new Map<string, Made>()

  function drop(connection: number, key: string): void {
    run(duck, connection, `DROP VIEW IF EXISTS ${fullName(catalog, key)}`)
    currentViews.delete(key)
  }

  /** Makes a view. What it reads has been made before, if it can be. */
  function create(statement: Scanning, connection: number, definition: NamedDefinition): Unmade | null {
    const { name, query } = definition
    if (query !== null) checkText(query)
    const text = query ?? `SELECT * FROM ${TABLE_FUNCTION.macro}('${name.replaceAll("'", "''")}')`
    const sql = `CREATE OR REPLACE VIEW ${fullName(catalog, name)} AS ${BLANKS}${text}`
    const outcome = queryTexts(duck, connection, sql)
    const thrown = statement.failure
    const [missing, missingValues] = [new Map(statement.missing), new Map(statement.missingValues)]
    forgetBinding(statement)
    if (missing.size + missingValues.size > 0) return { missing, missingValues, error: null }
    if (!isFailure(outcome)) return null
    const error = thrown ?? duckError(outcome.failure, { ...statement, sql })
    if (error.code === 'internal') throw error
    return { missing, missingValues, error: query === null ? error : errorInView(name, error) }
  }

  function makeOne(statement: Scanning, connection: number, definition: NamedDefinition): void {
    const { name, digest, query } = definition
    const key = foldSqlName(name)
    const unmade = create(statement, connection, definition)
    if (unmade !== null) {
      drop(connection, key)
      statement.unmade.set(key, unmade)
      return
    }
    statement.unmade.delete(key)
    currentViews.delete(key)
    currentViews.set(key, { digest, isConstant: query === null || isConstant(query) })
  }

  function makeAll(statement: Scanning, connection: number, definitions: readonly NamedDefinition[]): void {
    for (const { name, query } of definitions)
      if (query !== null) statement.unmade.set(foldSqlName(name), inCircle(name))
    for (const definition of definitions) makeOne(statement, connection, definition)
  }

  /** Drops the views that were not used for longest. */
  function dropOldest(connection: number, definitions: readonly NamedDefinition[]): void {
    if (currentViews.size <= MOST_KEPT + definitions.length) return
    const used = new Set(definitions.map(({ name }) => foldSqlName(name)))
    const others = [...currentViews.keys()].filter((key) => !used.has(key))
    for (const key of others.slice(0, others.length - MOST_KEPT)) drop(connection, key)
  }

  return {
    make(statement, connection) {
      const { definitions, absent } = statement
      for (const key of absent) if (currentViews.has(key)) drop(connection, key)
      const changed: NamedDefinition[] = []
      for (const definition of definitions) {
        const key = foldSqlName(definition.name)
        const currentView = currentViews.get(key)
        if (currentView?.digest !== definition.digest) changed.push(definition)
        else {
          currentViews.delete(key)
          currentViews.set(key, currentView)
        }
      }
      if (changed.length === 0) return
      makeAll(statement, connection, changed)
      dropOldest(connection, definitions)
      statement.fresh = changed.length
    },
    makeAgain(statement, connection) {
      const { definitions, fresh } = statement
      if (fresh === definitions.length) return false
      statement.unmade.clear()
      makeAll(statement, connection, definitions)
      statement.fresh = definitions.length
      return true
    },
    areConstant: (definitions) =>
      definitions.every(({ name }) => currentViews.get(foldSqlName(name))?.isConstant !== false),
  }
}

/** What a view is that its own query reads, until it has been made. */
function inCircle(name: string): Unmade {
  const error = new ServiceError('invalid_sql', `The view ${JSON.stringify(name)} reads itself.`)
  return { missing: new Map(), missingValues: new Map(), error }
}
