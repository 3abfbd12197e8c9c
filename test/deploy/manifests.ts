import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

export const ROOT = join(import.meta.dirname, '../..')

interface Container {
  readonly image: string
  readonly env: readonly { readonly name: string; readonly value?: string }[]
  readonly resources: { readonly requests: Quantities; readonly limits: Quantities }
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly volumeMounts: readonly {
    readonly name: string
    readonly mountPath: string
    readonly readOnly?: boolean
  }[]
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string }
}

type Quantities = Readonly<Record<string, string>>

export interface PodSpec {
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly containers: readonly Container[]
  readonly volumes: readonly Readonly<Record<string, unknown>>[]
  readonly terminationGracePeriodSeconds: number
  readonly [field: string]: unknown
}

interface Resource {
  readonly kind: string
  readonly spec: { readonly template: { readonly spec: PodSpec } }
}

/** The manifests in deploy/, as paths from the root of the project. */
export const FILES = globSync('deploy/*.yaml', { cwd: ROOT }).sort()

/** The pods of all Deployments. */
export function pods(): PodSpec[] {
  const documents = FILES.flatMap((file) => parseAllDocuments(readFileSync(join(ROOT, file), 'utf8')))
  const resources = documents.map((document) => document.toJS() as Resource)
  return resources.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.template.spec)
}
