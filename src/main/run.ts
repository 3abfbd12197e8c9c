import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import { isServiceError } from '../plan/errors.ts'
import { startService } from './service.ts'
import { readConfig, SettingError } from './settings/config.ts'
import { VERSION } from './settings/version.ts'
import { stopOnSignals } from './stop.ts'
import { type BuiltFiles, startThreadsFrom } from './threads/built-files.ts'

/** Log lines are buffered and written when they have so many bytes, or after so many milliseconds. */
const LOG_BYTES = 4096
const LOG_MS = 100

/**
 * How much a heap grows before its garbage is collected. V8 counts the bytes of buffers that come and go as growth, and would collect for
 * each 16 MB of them: for nearly each task that makes a file or sorts rows, which took a third of its time.
 */
const HEAP_GROWTH_PERCENT = 200

/** Runs the service with the settings in the environment, until SIGTERM or SIGINT. Its threads start from files that are built, where there are some. */
export async function run(files: BuiltFiles): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  startThreadsFrom(files)
  try {
    const { config, warnings } = readConfig(process.env)
    const logger = pino(
      { level: config.logLevel === 'off' ? 'silent' : config.logLevel },
      // Asynchronous, so that no query waits for the log to be written. What is buffered at the end is written on exit.
      pino.destination({ sync: false, minLength: LOG_BYTES, periodicFlush: LOG_MS }),
    )
    for (const warning of warnings) logger.warn(warning)
    const service = await startService(config, logger)
    const { workers, datasetsDir } = config
    logger.info({ address: service.address, version: VERSION, workers, datasets: datasetsDir }, 'ready')
    stopOnSignals(service.close, logger)
  } catch (error) {
    if (!(error instanceof SettingError) && !isServiceError(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
