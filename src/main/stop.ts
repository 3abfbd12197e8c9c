import type { Logger } from 'pino'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Closes the service at the first SIGTERM or SIGINT; the process ends by itself then. A close that fails is logged and ends
 * the process with code 1, for what is still open would keep it alive. Another signal ends it at once.
 */
export function stopOnSignals(close: () => Promise<void>, logger: Logger): void {
  async function stop(signal: NodeJS.Signals): Promise<void> {
    for (const each of SIGNALS) process.removeListener(each, onSignal)
    logger.info({ signal }, 'stopping')
    try {
      await close()
      logger.info('stopped')
    } catch (error) {
      logger.fatal({ err: error }, 'the service could not be stopped in order')
      // Lines that wait are written at the exit.
      process.exit(1)
    }
  }
  const onSignal = (signal: NodeJS.Signals): void => void stop(signal)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

/** Takes each step in order, whatever became of the ones before. Rejects with what was thrown: one error, or all together. */
export async function closeAll(steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) {
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts could not be closed.`)
  if (errors.length === 1) throw errors[0]
}
