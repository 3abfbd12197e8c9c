import type { TestServiceOptions } from '../service.ts'

/** Services with different numbers of workers, which do and do not keep what they have decoded. */
export const SERVICES: Readonly<Record<string, TestServiceOptions>> = {
  'one worker that keeps nothing': { workers: 1, settings: { SERVICE_CACHE_BYTES: '0' } },
  'three workers': { workers: 3 },
}
