import { copyFoot, copyHead } from '../../../plan/copy/copy-file.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { sameType } from '../../../plan/types/schema.ts'
import type { Lanes } from '../lanes.ts'
import type { RemoteClient } from '../remote-client.ts'
import type { WrittenRemoteTable } from '../remote-table-name.ts'
import { printTable } from '../sql/print-names.ts'
import { BEGIN, COLUMNS, columnsOf, MOST_TABLES, TABLES, tablesOf } from './catalog-queries.ts'
import { fieldOf, postgresType } from './column-type.ts'
import { type Connecting, connectPostgres, type PostgresConnection } from './connect.ts'
import { createCopyWalk } from './copy-walk.ts'

export interface PostgresClientOptions extends Connecting {
  readonly lanes: Lanes
}

/** Encodings whose text comes as UTF-8. That of a database without an encoding is checked where it is read. */
const ENCODINGS: ReadonlySet<string | null | undefined> = new Set(['UTF8', 'SQL_ASCII'])

/**
 * Asks a database in one transaction on one connection, from the first call on until it is closed, one statement after the other: all that
 * it tells is of one state. It takes one place of the lanes as long.
 */
export function createPostgresClient(options: PostgresClientOptions): RemoteClient {
  const { errors, lanes } = options
  let opening: Promise<PostgresConnection> | null = null
  let giveBack = (): void => {}
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  async function begin(signal: AbortSignal): Promise<PostgresConnection> {
    giveBack = await lanes.take(signal)
    try {
      const connection = await connectPostgres(options, signal)
      const [row] = await connection.query(BEGIN)
      const [encoding] = row ?? []
      if (!ENCODINGS.has(encoding)) {
        connection.end()
        throw errors.refused(`has a database whose encoding is ${encoding}; those in UTF8 are read`)
      }
      if (isClosed) connection.end()
      return connection
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** Waits until earlier calls are over. The result ends the turn. */
  async function takeTurn(): Promise<() => void> {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    return resolve
  }

  async function open(signal: AbortSignal): Promise<PostgresConnection> {
    opening ??= begin(signal)
    return opening
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const end = await takeTurn()
    try {
      return await work()
    } finally {
      end()
    }
  }

  async function fieldsOf(
    { schema, name }: WrittenRemoteTable,
    signal: AbortSignal,
  ): Promise<readonly Field[]> {
    const connection = await open(signal)
    const columns = columnsOf(await connection.query(COLUMNS, [schema, name]))
    if (columns === null) throw errors.refused('has answered a list of columns that is none')
    if (columns.length === 0)
      throw errors.refused(`has no table ${printTable(schema, name)} of which this login may read a column`)
    return columns.map(fieldOf)
  }

  return {
    check: (signal) => inTurn(async () => void (await open(signal))),
    listTables: (signal) =>
      inTurn(async () => {
        const tables = tablesOf(await (await open(signal)).query(TABLES))
        if (tables === null) throw errors.refused('has answered a list of tables that is none')
        if (tables.length > MOST_TABLES) throw errors.refused(`has more than ${MOST_TABLES} tables`)
        return tables
      }),
    columnsOf: (table, signal) =>
      inTurn(async () => {
        const fields = await fieldsOf(table, signal)
        return Buffer.concat([copyHead({ fields }), copyFoot({ blocks: [] })])
      }),
    async *rowsOf(statement, signal, shape) {
      if (shape === undefined) throw new TypeError('rows of a database need a shape')
      const { table, fields, read = fields } = shape
      const end = await takeTurn()
      try {
        requireSame(table, read, await fieldsOf(table, signal))
        const connection = await open(signal)
        const walk = createCopyWalk(fields, (what) => {
          throw errors.refused(what)
        })
        yield copyHead({ fields })
        for await (const chunk of connection.copy(`COPY (${statement}) TO STDOUT (FORMAT binary)`)) {
          walk.feed(chunk)
          yield chunk
        }
        yield copyFoot(walk.finish())
      } finally {
        end()
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      opening?.then(
        (connection) => {
          connection.end()
          giveBack()
        },
        () => {},
      )
    },
  }
}

/** Throws `table_changed` unless the columns are what they were when the statement was made. */
function requireSame({ name }: WrittenRemoteTable, asked: readonly Field[], now: readonly Field[]): void {
  const byName = new Map(now.map((field) => [field.name, field]))
  for (const field of asked) {
    const present = byName.get(field.name)
    const what =
      present === undefined
        ? 'is not there any more'
        : sameType(present.type, field.type) && postgresType(present) === postgresType(field)
          ? null
          : 'has another type there'
    if (what !== null)
      throw new ServiceError(
        'table_changed',
        `of ${JSON.stringify(name)}, the column ${JSON.stringify(field.name)} ${what}.`,
      )
  }
}
