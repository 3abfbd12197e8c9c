/** `npm start`: the service of this process's environment, until SIGTERM or SIGINT. */
import { pino } from 'pino'
import { isServiceError } from '../plan/errors.ts'
import { startService } from './service.ts'
import { readConfig, SettingError } from './settings/config.ts'
import { VERSION } from './settings/version.ts'
import { stopOnSignals } from './stop.ts'

/** Lines are written when they have come to so many bytes, or after so many milliseconds. */
const LOG_BYTES = 4096
const LOG_MS = 100

try {
  const { config, warnings } = readConfig(process.env)
  const logger = pino(
    { level: config.logLevel === 'off' ? 'silent' : config.logLevel },
    // No query waits for whoever reads the log, nor for a call to write its line; what is left is written at the end.
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
