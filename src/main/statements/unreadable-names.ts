import { ServiceError } from '../../plan/errors.ts'
import type { RunCommand } from './context.ts'
import { type Command, isTableCommand } from './run-node.ts'

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
    if (node.kind === 'refresh' || node.ifExists === 'replace') return run(node, context)
    throw new ServiceError(
      'table_exists',
      `A definition of ${JSON.stringify(name)} is stored that cannot be read; the log has the reason. Write OR REPLACE to put another in its place, or DROP it.`,
      { about: name },
    )
  }
}
