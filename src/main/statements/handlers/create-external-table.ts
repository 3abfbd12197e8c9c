import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { LocationSource, RemoteSource } from '../../catalog/catalog.ts'
import { declaredColumns } from '../../catalog/declared-columns.ts'
import { sourceOf, withLogin } from '../../catalog/sources/source-of.ts'
import { writtenLogin } from '../../catalog/sources/written-login.ts'
import { secretOfLogin } from '../../secrets/secret-of-login.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import type { RunCommand, StatementContext } from '../context.ts'
import { storeDefinition } from '../store-definition.ts'
import { newName } from '../target-name.ts'

/**
 * CREATE EXTERNAL TABLE: finds the columns of a table in its files, or checks those that it is declared with against all of them, and
 * stores its definition. A login in its options is stored before, under a name that no statement knows.
 */
export const createExternalTable: RunCommand<CreateExternalTable> = async (node, context) => {
  const { formats, logins } = context
  const name = newName(node.name, node.ifExists, context)
  if (name === null) return
  const source = sourceOf(node, formats)
  const login = await storeLogin(node, source, context)
  let isStored = false
  try {
    isStored = await create(node, name, source, login, context)
  } catch (error) {
    throw login !== undefined && isServiceError(error) ? withoutQuotes(error) : error
  } finally {
    if (login !== undefined && !isStored) await logins.drop(login, true, NEVER)
  }
}

/** Messages about remotes have nothing of the login. */
function withoutQuotes(error: ServiceError): ServiceError {
  const { code, message, about } = error
  return new ServiceError(code, message, { cause: error, about, quotesNothing: true })
}

const NEVER = new AbortController().signal

/** Whether it is stored: another statement may have created a table of this name meanwhile. */
async function create(
  node: CreateExternalTable,
  name: string,
  source: LocationSource | RemoteSource,
  login: string | undefined,
  context: StatementContext,
): Promise<boolean> {
  const { formats, queries, caller, signal, notices } = context
  // Datasets that are folders have no partitions.
  const isOfFiles = formats.row(source.format.kind).storage.kind !== 'folder'
  const onNotice = (notice: string): void => void (isOfFiles && notices.add(notice))
  const columns = await queries.columnsOf(
    { name, source: withLogin(source, login), declared: declaredColumns(node), onNotice },
    caller,
    signal,
  )
  const statement = Object.freeze({
    ...node,
    name: Object.freeze({ catalog: null, schema: null, name }),
    ifExists: 'fail',
  } as const)
  // Reading files takes a while, in which another statement may have created a table of this name.
  let isStored = false
  const isWanted = (): boolean => {
    isStored = newName(node.name, node.ifExists, context) !== null
    return isStored
  }
  const definition = Object.freeze({ statement, columns, ...(login !== undefined && { login }) })
  await storeDefinition(async () => definition, isWanted, context)
  return isStored
}

/** Stores the login of the options, encrypted. Undefined: they have none. */
async function storeLogin(
  node: CreateExternalTable,
  source: LocationSource | RemoteSource,
  { logins, hidden, signal }: StatementContext,
): Promise<string | undefined> {
  const written = source.kind === 'remote' ? writtenLogin(node, hidden, source) : null
  if (written === null) return undefined
  const secret = secretOfLogin(written.type, written.values, true)
  await logins.put(secret, signal)
  return secret.name
}
