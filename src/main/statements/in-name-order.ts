import { ServiceError } from '../../plan/errors.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import type { RunCommand } from './context.ts'
import type { NameOrder } from './name-order.ts'
import { type Command, isTableCommand } from './run-node.ts'

/**
 * Runs commands on the same name one after the other, in the order in which they come. In between, no other one changes what a
 * command has found. One whose client leaves while it waits rejects at once and does nothing.
 */
export function inNameOrder(run: RunCommand<Command>, order: NameOrder): RunCommand<Command> {
  return (node, context) => order(keysOf(node), context.signal, () => run(node, context))
}

/** The names that a command is on: of a table or a view, of a user, of a role, of a secret, of an attached catalog, of a crawler. */
function keysOf(node: Command): readonly string[] {
  switch (node.kind) {
    case 'create_user':
    case 'drop_user':
      return [`user ${node.name}`]
    case 'create_role':
    case 'drop_role':
      return [`role ${node.name}`]
    case 'grant_role':
    case 'revoke_role':
      return [`user ${node.user}`, `role ${node.role}`]
    case 'attach':
    case 'detach':
      return [`catalog ${foldSqlName(node.name)}`]
    case 'create_secret':
    case 'drop_secret':
      return [`secret ${node.name}`]
    case 'add_rule':
    case 'remove_rule':
      return [`role ${node.role}`]
    case 'create_crawler':
    case 'drop_crawler':
      return [`crawler ${node.name}`]
    default:
      return [`table ${foldSqlName(node.name.name)}`]
  }
}

/**
 * Keeps stored definitions that cannot be read: CREATE with such a name is an error unless it replaces, although no table has the
 * name. DROP deletes the definition.
 */
export function withUnreadableNames(run: RunCommand<Command>): RunCommand<Command> {
  return async (node, context) => {
    if (!isTableCommand(node)) return run(node, context)
    const { catalog, signal } = context
    const { name } = node.name
    if (!catalog.isUnreadable(name)) return run(node, context)
    if (node.kind === 'drop') return catalog.change([{ kind: 'drop', name }], signal)
    const isCreate = node.kind === 'create_external_table' || node.kind === 'create_view'
    if (!isCreate || node.ifExists === 'replace') return run(node, context)
    throw new ServiceError(
      'table_exists',
      `A definition of ${JSON.stringify(name)} is stored that cannot be read; the log has the reason. Write OR REPLACE to put another in its place, or DROP it.`,
      { about: name },
    )
  }
}
