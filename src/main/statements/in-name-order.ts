import { foldSqlName } from '../../plan/statement/statement.ts'
import { unlessAborted } from '../../plan/unless-aborted.ts'
import type { RunCommand } from './context.ts'
import type { Command } from './run-node.ts'

/**
 * Runs commands on the same name one after the other, in the order in which they come. In between, no other one changes what a
 * command has found. One whose client leaves while it waits rejects at once and does nothing.
 */
export function inNameOrder(run: RunCommand<Command>): RunCommand<Command> {
  /** When all commands on a name that have come so far have ended. */
  const ends = new Map<string, Promise<void>>()
  return async (node, context) => {
    const key = foldSqlName(node.name.name)
    const before = ends.get(key) ?? Promise.resolve()
    const done = Promise.withResolvers<void>()
    const end = before.then(() => done.promise)
    ends.set(key, end)
    void end.then(() => {
      if (ends.get(key) === end) ends.delete(key)
    })
    try {
      await unlessAborted(before, context.signal)
      await run(node, context)
    } finally {
      done.resolve()
    }
  }
}
