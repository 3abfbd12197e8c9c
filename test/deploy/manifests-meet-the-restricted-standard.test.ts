import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readConfig } from '../../src/main/settings/config.ts'
import { PYTHON, skipWithout } from '../support/python.ts'
import { FILES, type PodSpec, pods, ROOT } from './manifests.ts'

/** The oldest version that the manifests need, for `preStop.sleep`, and the newest that the schemas have. */
const KUBERNETES = [['-k', '1.30'], []]

/** Volumes that the restricted standard allows. */
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

const MIB = 1 << 20

/** MiB of DuckDB in an engine besides its statements. */
const ENGINE_MB = 256

/** MiB of the main thread, with answers that are kept. */
const MAIN_MB = 512

t.test('each file is valid for Kubernetes', { skip: skipWithout('kubernetes_validate') }, async (t) => {
  t.ok(FILES.length > 0)
  for (const version of KUBERNETES) {
    const main = 'import sys; from kubernetes_validate.__main__ import main; sys.exit(main())'
    const { stdout, stderr } = await promisify(execFile)(
      PYTHON,
      ['-c', main, ...version, '--strict', '--no-warn', ...FILES],
      { cwd: ROOT },
    )
    for (const file of FILES) t.match(stdout + stderr, `${file} passed`)
  }
})

t.test('pods meet the restricted pod security standard', async (t) => {
  t.ok(pods().length > 0)
  for (const pod of pods()) {
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) t.notOk(pod[field], field)
    t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    t.not(pod.securityContext['runAsUser'], 0)
    t.notOk(pod['initContainers'])
    for (const volume of pod.volumes)
      for (const kind of Object.keys(volume)) t.ok(kind === 'name' || VOLUMES.includes(kind), kind)
    for (const { securityContext } of pod.containers) {
      t.equal(securityContext['allowPrivilegeEscalation'], false)
      t.notOk(securityContext['privileged'])
      t.same(securityContext['capabilities'], { drop: ['ALL'] })
      t.equal(securityContext['readOnlyRootFilesystem'], true)
    }
  }
})

t.test('start, readiness and liveness are asked apart, and pods have the time to stop', async (t) => {
  for (const pod of pods())
    for (const container of pod.containers) {
      t.equal(container.startupProbe.httpGet.path, '/api/ready')
      t.equal(container.readinessProbe.httpGet.path, '/api/ready')
      t.equal(container.livenessProbe.httpGet.path, '/api/health')
      const stopping = container.lifecycle.preStop.sleep.seconds + configOf(pod).shutdownSecs
      t.ok(pod.terminationGracePeriodSeconds > stopping)
    }
})

t.test('datasets are mounted read-only, and CPUs have no limit', async (t) => {
  for (const { containers } of pods())
    for (const { env, volumeMounts, resources } of containers) {
      const root = env.find(({ name }) => name === 'SERVICE_DATASETS_DIR')?.value
      t.equal(volumeMounts.find(({ mountPath }) => mountPath === root)?.readOnly, true)
      t.notOk(resources.limits['cpu'])
    }
})

t.test('the memory limit has room for what the settings allow', async (t) => {
  for (const pod of pods()) {
    const { workers, sqlEngines, workerMemoryMb, workerHeapMb, sqlMemoryMb } = configOf(pod)
    const threadsMb = (workers + sqlEngines) * (workerMemoryMb + workerHeapMb)
    const needed = threadsMb + sqlEngines * (sqlMemoryMb + ENGINE_MB) + MAIN_MB
    for (const { resources } of pod.containers)
      t.ok(bytesOf(resources.limits['memory'] ?? '') >= needed * MIB, `${needed} MiB`)
  }
})

t.test('the image is of the Node that the lock file has', async (t) => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const { version } = lock.packages['node_modules/node']
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  for (const [, image = ''] of dockerfile.matchAll(/^FROM (\S+)/gm))
    t.match(
      image,
      new RegExp(`^node:${version.replaceAll('.', '\\.')}-[a-z]+-slim(?:@sha256:[0-9a-f]{64})?$`),
    )
  t.notMatch(dockerfile, /node_modules\/\.bin\/node"/, 'no second Node runs')
})

function variablesOf({ containers }: PodSpec): Record<string, string> {
  const given = containers.flatMap(({ env }) => env)
  return Object.fromEntries(given.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
}

function configOf(pod: PodSpec) {
  return readConfig(variablesOf(pod)).config
}

/** Bytes of a quantity in Mi or Gi. */
function bytesOf(quantity: string): number {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  return Number(number) * (unit === 'Gi' ? 1024 * MIB : MIB)
}
