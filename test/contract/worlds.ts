import type { Test } from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fillService } from './fill-service.ts'
import type { Target } from './walk.ts'

const BASE = '/ocean/data'

interface World {
  readonly settings: Readonly<Record<string, string>>
  readonly hasCors?: false
  /** Whether it has everything that rows name: files of all formats, views and users. Else it has the table `obs`. */
  readonly isWhole?: true
}

/** The services to which rows are sent. Rows without a world go to the first two, unless they say which. */
export const WORLDS = Object.freeze({
  'without rules': { settings: {}, isWhole: true },
  'with rules': { settings: { SERVICE_AUTH_ENFORCE: 'true', SERVICE_BASE_PATH: BASE }, isWhole: true },
  'SQL off': { settings: { SERVICE_ENABLE_SQL: 'false' } },
  'nobody is anonymous': {
    settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false', SERVICE_AUTH_ENFORCE: 'true' },
    isWhole: true,
  },
  'nobody is anonymous, without rules': { settings: { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false' } },
  'one origin': {
    settings: {
      SERVICE_CORS_ALLOWED_ORIGINS: 'https://a.example',
      SERVICE_CORS_ALLOWED_METHODS: 'GET, POST',
      SERVICE_CORS_ALLOWED_CREDENTIALS: 'true',
      SERVICE_CORS_MAX_AGE: '60',
    },
    hasCors: false,
  },
  'obs is the default table': { settings: { SERVICE_DEFAULT_TABLE: 'obs', SERVICE_ENABLE_SYS_INFO: 'true' } },
  'no default table': { settings: { SERVICE_DEFAULT_TABLE: 'nothing' } },
  'another name': { settings: { SERVICE_NAME: 'ocean', SERVICE_ADMIN_USERNAME: 'service-admin' } },
  'small uploads': { settings: { SERVICE_MAX_UPLOAD_BYTES: '8' } },
  'MCP off': { settings: { SERVICE_MCP_ENABLED: 'false' } },
  titles: {
    settings: {
      SERVICE_API_TITLE: 'Title',
      SERVICE_API_DESCRIPTION: 'Description',
      SERVICE_API_TERMS_OF_SERVICE: 'https://a.example/terms',
      SERVICE_API_CONTACT_NAME: 'Contact',
      SERVICE_API_CONTACT_URL: 'https://a.example/contact',
      SERVICE_API_CONTACT_EMAIL: 'a@a.example',
      SERVICE_API_LICENSE_NAME: 'Licence',
      SERVICE_API_LICENSE_URL: 'https://a.example/licence',
    },
  },
} satisfies Readonly<Record<string, World>>)

/** Starts one of them, over some files, with tables, views and users. It ends with the test. */
export async function startWorld(t: Test, name: string): Promise<Target> {
  const world: World | undefined = new Map<string, World>(Object.entries(WORLDS)).get(name)
  if (world === undefined) throw new RangeError(`there is no world ${name}`)
  const service = await startTestService(t, { settings: world.settings })
  const base = world.settings['SERVICE_BASE_PATH'] ?? ''
  const url = service.url + base
  await fillService(url, service.datasets, {
    isWhole: world.isWhole ?? false,
    hasAnonymous: world.settings['SERVICE_AUTH_ANONYMOUS_ENABLED'] !== 'false',
  })
  return { url, base, hasCors: world.hasCors ?? true }
}
