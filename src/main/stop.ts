import type { Logger } from 'pino'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Closes the service at the first SIGTERM or SIGINT, after which the process ends by itself. If closing fails, the error is
 * logged and the process ends with code 1: what is still open would keep it running. A second signal ends it at once.
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
      // `process.exit` also writes buffered log lines.
      process.exit(1)
    }
  }
  const onSignal = (signal: NodeJS.Signals): void => void stop(signal)
  for (const signal of SIGNALS) process.on(signal, onSignal)
}

/** Takes all steps in order, even if some fail. Rejects with the error of the one that failed, or with an `AggregateError`. */
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
