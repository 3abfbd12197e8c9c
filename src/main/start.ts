/** `npm start`: runs the service, from one file if that is built of the modules that lie here (`scripts/bundle-service.ts`). */
import { readBuiltFiles, SERVICE_FILES } from './threads/built-files.ts'

const MODULE = new URL('./run.ts', import.meta.url)

const files = readBuiltFiles(SERVICE_FILES)
const { run } = (await import((files.get(MODULE.href) ?? MODULE).href)) as typeof import('./run.ts')
await run(files)
