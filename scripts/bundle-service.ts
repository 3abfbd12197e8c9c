/** Bundles the service for its start: main, and each thread. `npm ci` and the Dockerfile run this. Without bundles the service loads its modules. */
import { globSync } from 'node:fs'
import { ROOT, SERVICE_FILES } from '../src/main/threads/built-files.ts'
import { bundleModules } from './bundle-modules.ts'

const ENTRIES = ['src/main/run.ts', 'src/workers/worker.ts', 'src/main/**/*-thread.ts']

await bundleModules(globSync(ENTRIES, { cwd: ROOT }), SERVICE_FILES)
