/** A process that says it is ready, and closes at a signal as its argument says: `well`, `failing` or `never`. */
import { pino } from 'pino'
import { stopOnSignals } from '../../src/main/stop.ts'

const logger = pino(pino.destination({ sync: false, minLength: 4096, periodicFlush: 100 }))
// What is open keeps the process alive.
const open = setInterval(() => {}, 60_000)

stopOnSignals(async () => {
  if (process.argv[2] === 'failing') throw new Error('the catalog is busy')
  if (process.argv[2] === 'never') await new Promise(() => {})
  clearInterval(open)
}, logger)
logger.info('ready')
