import { PUBLIC } from '../catalog/catalog.ts'
import type { RunCommand, StatementContext } from './context.ts'
import { type Command, isTableCommand } from './run-node.ts'

/** The login of a table outlives no command that drops the table, or puts another in its place. */
export function withOldLogins(run: RunCommand<Command>): RunCommand<Command> {
  return async (node, context) => {
    if (!isTableCommand(node)) return run(node, context)
    const before = loginOf(node.name.name, context)
    await run(node, context)
    if (before === undefined || loginOf(node.name.name, context) === before) return
    // The command is done. What stays stored here is deleted by the next start.
    await context.logins
      .drop(before, true, new AbortController().signal)
      .catch((err: unknown) => context.log.error({ err }, 'the login of a table that is gone stays stored'))
  }
}

function loginOf(name: string, { catalog, caller }: StatementContext): string | undefined {
  return catalog.snapshot().find(caller, name, PUBLIC)?.definition?.login
}
