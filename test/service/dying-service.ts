/** Child process: a service that dies at a step of a statement (die-at-step.ts). It prints its address. */
import { pino } from 'pino'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { readBuiltFiles, startThreadsFrom } from '../../src/main/threads/built-files.ts'
import { dieAtStep } from '../catalog/die-at-step.ts'

const built = process.env['BUNDLED_WORKERS']
if (built !== undefined) startThreadsFrom(readBuiltFiles(built))
const { config } = readConfig(process.env)
const service = await startService(config, pino({ level: 'silent' }), {
  isWarmedUp: false,
  store: { entry: new URL('../catalog/dying-writer.ts', import.meta.url), atStep: dieAtStep },
})
process.stdout.write(`${service.address}\n`)
