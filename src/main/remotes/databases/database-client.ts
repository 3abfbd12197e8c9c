import { type CopyForm, copyFoot, copyHead } from '../../../plan/copy/copy-file.ts'
import { ServiceError } from '../../../plan/errors.ts'
import { type Field, sameType } from '../../../plan/types/schema.ts'
import type { RemoteClient } from '../remote-client.ts'
import type { WrittenRemoteTable } from '../remote-table-name.ts'
import { printTable } from '../sql/print-names.ts'
import { type Beginning, beginSession, type DatabaseSession } from './begin-session.ts'
import type { ReusableConnection } from './idle-connections.ts'

export interface DatabaseClientOptions<C extends ReusableConnection> extends Beginning<C> {
  readonly form: CopyForm
  /** Whether a column still has the type there that its field tells. */
  readonly isSameThere: (asked: Field, now: Field) => boolean
}

/** The most tables that are listed. */
export const MOST_TABLES = 100_000

/**
 * Asks a database in one transaction on one connection, from the first call on until it is closed, one statement after the other: all that
 * it tells is of one state. It takes one place of the lanes as long.
 */
export function createDatabaseClient<C extends ReusableConnection>(
  options: DatabaseClientOptions<C>,
): RemoteClient {
  const { form, errors, lanes, isSameThere } = options
  let opening: Promise<DatabaseSession> | null = null
  let giveBack = (): void => {}
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  async function begin(signal: AbortSignal, logsIn: boolean): Promise<DatabaseSession> {
    giveBack = await lanes.take(signal)
    try {
      return await beginSession(options, signal, logsIn)
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

  async function open(signal: AbortSignal, logsIn = false): Promise<DatabaseSession> {
    if (opening === null && isClosed) throw new RangeError('a client that is closed is asked')
    opening ??= begin(signal, logsIn)
    return opening
  }

  /** Ends the session when what is asked has been answered. */
  async function end(beginning: Promise<DatabaseSession>): Promise<void> {
    const session = await beginning
    await last
    await session.end()
    giveBack()
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const end = await takeTurn()
    try {
      return await work()
    } finally {
      end()
    }
  }

  async function fieldsOf(table: WrittenRemoteTable, signal: AbortSignal): Promise<readonly Field[]> {
    const fields = await (await open(signal)).columns(table)
    if (fields === null) throw errors.refused('has answered a list of columns that is none')
    if (fields.length === 0)
      throw errors.refused(
        `has no table ${printTable(table.schema, table.name)} of which this login may read a column`,
      )
    return fields
  }

  /** Throws `table_changed` unless the columns are what they were when the statement was made. */
  function requireSame({ name }: WrittenRemoteTable, asked: readonly Field[], now: readonly Field[]): void {
    const byName = new Map(now.map((field) => [field.name, field]))
    for (const field of asked) {
      const present = byName.get(field.name)
      const what =
        present === undefined
          ? 'is not there any more'
          : sameType(present.type, field.type) && isSameThere(field, present)
            ? null
            : 'has another type there'
      if (what !== null)
        throw new ServiceError(
          'table_changed',
          `of ${JSON.stringify(name)}, the column ${JSON.stringify(field.name)} ${what}.`,
        )
    }
  }

  return {
    check: (signal) => inTurn(async () => void (await open(signal, true))),
    listTables: (signal) =>
      inTurn(async () => {
        // ATTACH asks this: whether the server lets the login in now, as it is set up now.
        const tables = await (await open(signal, true)).tables()
        if (tables === null) throw errors.refused('has answered a list of tables that is none')
        if (tables.length > MOST_TABLES) throw errors.refused(`has more than ${MOST_TABLES} tables`)
        return tables
      }),
    columnsOf: (table, signal) =>
      inTurn(async () => {
        const fields = await fieldsOf(table, signal)
        return Buffer.concat([copyHead({ form, fields }), copyFoot({ blocks: [] })])
      }),
    async *rowsOf(statement, signal, shape) {
      if (shape === undefined) throw new TypeError('rows of a database need a shape')
      const { table, fields, read = fields } = shape
      const end = await takeTurn()
      try {
        requireSame(table, read, await fieldsOf(table, signal))
        const session = await open(signal)
        yield copyHead({ form, fields })
        yield copyFoot(yield* session.rows(statement, fields))
      } finally {
        end()
      }
    },
    close() {
      if (isClosed) return
      isClosed = true
      // What has not begun has no place to give back.
      if (opening !== null) end(opening).catch(() => {})
    },
  }
}
