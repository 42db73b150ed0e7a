import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../bin/pinned-node.mjs'
import { readEnv, settingNames } from '../../server/src/env.ts'
import { readKeys } from '../../server/src/keys/key-file.ts'
import { decodeObjects, requireHelm, runHelm } from '../peers/helm.ts'
import { requireProgram, runProgram } from '../peers/process.ts'

const chart = join(root, 'deploy/helm/lyceum')
/** Helm built from its module does not know a version of Kubernetes. */
const template = ['template', 'team', chart, '--kube-version', '1.31.0']

const keys = JSON.stringify({ tokenKey: 'a'.repeat(43), pepper: 'b'.repeat(43) })
const withSecrets = {
  env: { PUBLIC_URL: 'https://chat.example.org', S3_BUCKET: 'files' },
  secretEnv: { DATABASE_URL: 'postgres://lyceum:pw@db/lyceum', SMTP_URL: 'smtps://mail.example.org' },
  keys: { content: keys },
}
const withNames = {
  env: { ...withSecrets.env, MAX_DOCUMENT_MB: 500, RETAIN_CHATS: true, AWS_REGION: 'eu-central-1' },
  existingSecret: 'settings',
  keys: { existingSecret: 'server-keys' },
}
const complete = {
  ...withNames,
  image: { repository: 'registry.example.org/lyceum', tag: '1.2.3', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  drainSeconds: 90,
  web: { replicas: 5, autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 9, targetCpu: 60 } },
  worker: { replicas: 2, resources: { limits: { memory: '4Gi' } } },
  ingress: {
    enabled: true,
    className: 'edge',
    host: 'chat.example.org',
    tlsSecret: 'certificate',
    annotations: { 'example.org/buffering': 'off' },
  },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { name: 'edge' } } }],
    metricsFrom: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
  },
  podAnnotations: { 'example.org/team': 'chat' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
}

interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
  failureThreshold: number
}

interface Container {
  name: string
  image: string
  command?: string[]
  env: { name: string; value?: string; valueFrom?: { fieldRef: { fieldPath: string } } }[]
  envFrom: { secretRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  resources: { requests?: object; limits: { memory: string } }
  volumeMounts: { name: string; mountPath: string }[]
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
}

interface Pod {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> }
  spec: {
    automountServiceAccountToken: boolean
    terminationGracePeriodSeconds?: number
    restartPolicy?: string
    securityContext: object
    initContainers: Container[]
    containers: Container[]
    volumes: { name: string; emptyDir?: object; secret?: { secretName: string } }[]
  }
}

interface KubernetesObject {
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on the kind
  spec: any
  stringData?: Record<string, string>
}

function render(values: object): KubernetesObject[] {
  const { isSuccess, output, errors } = runHelm(template, values)
  if (!isSuccess) throw new Error(errors)
  return decodeObjects(output)
}

function find(objects: KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name)
  if (!found) throw new Error(`There is no ${kind} ${name}.`)
  return found
}

function readPod(objects: KubernetesObject[], role: string): Pod {
  return find(objects, role === 'migrate' ? 'Job' : 'Deployment', `team-${role}`).spec.template
}

function readServer(objects: KubernetesObject[], role: string): Container {
  const [server, other] = readPod(objects, role).spec.containers
  if (!server || other) throw new Error(`The pod ${role} does not have one container.`)
  return server
}

/** The names of everything, such as `Service team`. */
function list(objects: KubernetesObject[]): string[] {
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()
}

// Building takes minutes on a busy machine.
beforeAll(() => void requireHelm(), 600_000)

describe('the chart refuses', () => {
  it.each([
    ['no address', { env: { S3_BUCKET: 'files' } }, 'Set env.PUBLIC_URL: no server starts without it.'],
    [
      'no bucket',
      { env: { PUBLIC_URL: 'https://chat.example.org' } },
      'Set env.S3_BUCKET: no server starts without it.',
    ],
    [
      'no database',
      { secretEnv: { SMTP_URL: 'smtps://mail.example.org' } },
      'Set secretEnv.DATABASE_URL, or existingSecret to the name of a Secret that contains DATABASE_URL.',
    ],
    [
      'no mail server',
      { secretEnv: { DATABASE_URL: 'postgres://db/lyceum' } },
      'Set secretEnv.SMTP_URL, or existingSecret to the name of a Secret that contains SMTP_URL.',
    ],
    [
      'two places for secrets',
      { existingSecret: 'settings' },
      'Set either secretEnv or existingSecret, not both.',
    ],
    [
      'no keys',
      { keys: {} },
      'Set either keys.content or keys.existingSecret: all servers need the same keys.',
    ],
    [
      'two places for keys',
      { keys: { content: keys, existingSecret: 'server-keys' } },
      'Set either keys.content or keys.existingSecret: all servers need the same keys.',
    ],
    [
      'an ingress without a host',
      { ingress: { enabled: true } },
      'Set ingress.host to the host that users open.',
    ],
  ])('%s with one sentence', (_, changes, sentence) => {
    const { isSuccess, errors } = runHelm(template, { ...withSecrets, ...changes })
    expect(isSuccess).toBe(false)
    const [line = ''] = errors.split('\n')
    expect(line.replace(/^Error: execution error at \(.*?\): /, '')).toBe(sentence)
  })

  it.each([
    [
      { env: { ...withSecrets.env, PUBLIC_ULR: 'x' } },
      "at '/env': additional properties 'PUBLIC_ULR' not allowed",
    ],
    [{ env: { ...withSecrets.env, RUN: 'web' } }, "at '/env': additional properties 'RUN' not allowed"],
    [{ web: { replicas: 'two' } }, "at '/web/replicas': got string, want integer"],
    [{ worker: { replicas: 0 } }, "at '/worker/replicas': minimum: got 0, want 1"],
    [{ drainSeconds: 601 }, "at '/drainSeconds': maximum: got 601, want 600"],
    [{ database: {} }, "additional properties 'database' not allowed"],
    [{ dataSize: 'large' }, "at '/dataSize': 'large' does not match pattern"],
  ])('%j', (changes, reason) => {
    const { isSuccess, errors } = runHelm(template, { ...withSecrets, ...changes })
    expect([isSuccess, errors]).toEqual([false, expect.stringContaining(reason)])
  })
})

describe('decoding', () => {
  const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n'

  it.each([
    ['spec: {portz: []}', /unknown field "spec.portz"/],
    ['spec: {ports: [{port: http}]}', /cannot unmarshal string/],
    ['spec: {type: a}\nspec: {type: b}', /already set|duplicate/],
  ])('refuses %j, which Kubernetes would', (text, reason) => {
    expect(() => decodeObjects(service + text)).toThrow(reason)
  })
})

describe('values.schema.json', () => {
  it('allows all settings of the server but those that the chart sets', () => {
    const { definitions } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
    const own = ['CLUSTER', 'DATA_DIR', 'DRAIN_SECONDS', 'HOST', 'NODE_NAME', 'PORT', 'RUN', 'SECRETS_FILE']
    // Only tests set it.
    const others = settingNames.filter((name) => ![...own, 'FAULT_POINT'].includes(name))
    expect(Object.keys(definitions.settings.properties).toSorted()).toEqual(
      [...others, 'NODE_EXTRA_CA_CERTS'].toSorted(),
    )
  })
})

it('docs/scaling.md creates keys that the server accepts', async () => {
  const [, commands = ''] =
    /\n( *key\(\) .*?)\n *kubectl create secret/s.exec(readFileSync(join(root, 'docs/scaling.md'), 'utf8')) ??
    []
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-keys-'))
  runProgram(requireProgram('sh'), ['-c', `cd ${folder}\n${commands}`])
  const read = readKeys(join(folder, 'secrets.json'))
  expect(read.tokenKey).not.toBe(read.pepper)
  await rm(folder, { recursive: true })
})

it('Chart.yaml names the version of Lyceum', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(readFileSync(join(chart, 'Chart.yaml'), 'utf8').split('\n')).toContain(`appVersion: ${version}`)
})

describe.each([
  ['all secrets', withSecrets],
  ['names of secrets', withNames],
  ['all values', complete],
])('the chart with %s', (_, values) => {
  const drainSeconds = Number('drainSeconds' in values ? values.drainSeconds : 25)
  let objects: KubernetesObject[]
  beforeAll(() => {
    objects = render(values)
  }, 600_000)

  it('has no fault that Helm finds', () => {
    const { isSuccess, output } = runHelm(['lint', chart, '--strict', '--kube-version', '1.31.0'], values)
    expect([isSuccess, output]).toEqual([true, expect.not.stringMatching(/\[(WARNING|ERROR)\]/)])
  })

  it.each(['web', 'worker', 'migrate'])('gives %s settings that a server accepts', (role) => {
    const { env, envFrom } = readServer(objects, role)
    const own = Object.fromEntries(env.map(({ name, value = 'a-pod' }) => [name, value]))
    expect(env.map(({ name }) => name)).toEqual([...new Set(env.map(({ name }) => name))])
    const secrets = objects.find(({ metadata }) => metadata.name === envFrom[0]?.secretRef.name)
    const secretEnv = secrets?.stringData ?? { ...withSecrets.secretEnv }
    const read = readEnv({ ...secretEnv, ...own })
    const known = [...Object.keys(read), 'AWS_REGION']
    expect(Object.keys({ ...secretEnv, ...own }).filter((name) => !known.includes(name))).toEqual([])
    expect(read).toMatchObject({
      CLUSTER: true,
      RUN: role === 'migrate' ? 'all' : role,
      NODE_NAME: 'a-pod',
      PUBLIC_URL: 'https://chat.example.org',
      S3_BUCKET: 'files',
      DATABASE_URL: withSecrets.secretEnv.DATABASE_URL,
      DRAIN_SECONDS: drainSeconds,
      TRUSTED_PROXIES: ['uniquelocal'],
    })
    expect(env.find(({ name }) => name === 'NODE_NAME')?.valueFrom?.fieldRef.fieldPath).toBe('metadata.name')
  })

  it.each(['web', 'worker', 'migrate'])(
    'lets %s write only where it must, as an unprivileged user',
    (role) => {
      const { spec } = readPod(objects, role)
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 10001,
        runAsGroup: 10001,
        fsGroup: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const container of [...spec.initContainers, ...spec.containers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/)
      }
      const server = readServer(objects, role)
      const mounted = server.volumeMounts.map(({ name, mountPath }) => {
        const volume = spec.volumes.find((candidate) => candidate.name === name)
        return [mountPath, Object.keys(volume ?? {}).filter((key) => key !== 'name')]
      })
      expect(mounted).toEqual([
        ['/data', ['emptyDir']],
        ['/tmp', ['emptyDir']],
      ])
    },
  )

  it.each(['web', 'worker', 'migrate'])('gives %s the keys in a file of its own user', (role) => {
    const { initContainers, volumes } = readPod(objects, role).spec
    expect(initContainers.map(({ command }) => command)).toEqual([
      ['install', '-m', '600', '/keys/secrets.json', '/data/secrets.json'],
    ])
    const secretName = 'existingSecret' in values ? 'server-keys' : 'team-keys'
    expect(volumes.find(({ name }) => name === 'keys')?.secret).toMatchObject({
      secretName,
      defaultMode: 0o440,
    })
    const { env } = readServer(objects, role)
    expect(env).toContainEqual({ name: 'SECRETS_FILE', value: '/data/secrets.json' })
  })

  it.each(['web', 'worker'])('asks %s for its health, and gives it time to start and to drain', (role) => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = readServer(objects, role)
    expect(ports).toEqual([{ name: 'http', containerPort: 3000 }])
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'http' }, failureThreshold: 1 })
    // A server drains for longer than it takes to notice.
    expect(readinessProbe?.periodSeconds).toBeLessThan(drainSeconds)
    // It waits for up to 60 s until the schema was upgraded.
    expect((startupProbe?.periodSeconds ?? 0) * (startupProbe?.failureThreshold ?? 0)).toBeGreaterThan(90)
    const { terminationGracePeriodSeconds = 0 } = readPod(objects, role).spec
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 15)
  })

  it('replaces pods one by one', () => {
    for (const role of ['web', 'worker'])
      expect(find(objects, 'Deployment', `team-${role}`).spec.strategy).toEqual({
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
      })
    expect(find(objects, 'PodDisruptionBudget', 'team-web').spec.maxUnavailable).toBe(1)
  })

  it('upgrades the schema before it replaces pods, with secrets that exist by then', () => {
    const job = find(objects, 'Job', 'team-migrate')
    expect(readServer(objects, 'migrate').command).toEqual(['lyceum', 'migrate'])
    const hooks = [job, ...objects.filter(({ kind }) => kind === 'Secret')].map(({ metadata }) => [
      metadata.annotations?.['helm.sh/hook'],
      Number(metadata.annotations?.['helm.sh/hook-weight']),
    ])
    const secrets = 'existingSecret' in values ? 0 : 2
    expect(hooks).toEqual([
      ['pre-install,pre-upgrade', 0],
      ...Array.from({ length: secrets }, () => ['pre-install,pre-upgrade', -1]),
    ])
  })

  it('selects the pods of each role and no others', () => {
    const roles = ['web', 'worker', 'migrate']
    function select(labels: Record<string, string>): string[] {
      return roles.filter((role) => {
        const { labels: present } = readPod(objects, role).metadata
        return Object.entries(labels).every(([name, value]) => present[name] === value)
      })
    }
    expect(select(find(objects, 'Service', 'team').spec.selector)).toEqual(['web'])
    expect(select(find(objects, 'PodDisruptionBudget', 'team-web').spec.selector.matchLabels)).toEqual([
      'web',
    ])
    for (const role of ['web', 'worker'])
      expect(select(find(objects, 'Deployment', `team-${role}`).spec.selector.matchLabels)).toEqual([role])
  })
})

describe('the chart', () => {
  let few: KubernetesObject[]
  let all: KubernetesObject[]
  beforeAll(() => {
    ;[few, all] = [render(withNames), render(complete)]
  }, 600_000)

  it('adds what is optional only on request', () => {
    const always = ['Deployment team-web', 'Deployment team-worker', 'Job team-migrate']
    expect(list(few)).toEqual([...always, 'PodDisruptionBudget team-web', 'Service team'])
    expect(list(all)).toEqual(
      [
        ...list(few),
        'HorizontalPodAutoscaler team-web',
        'Ingress team',
        'NetworkPolicy team-web',
        'NetworkPolicy team-worker',
      ].toSorted(),
    )
  })

  it('leaves the number of web servers to the autoscaler', () => {
    expect(find(few, 'Deployment', 'team-web').spec.replicas).toBe(2)
    expect(find(all, 'Deployment', 'team-web').spec.replicas).toBeUndefined()
    expect(find(all, 'HorizontalPodAutoscaler', 'team-web').spec).toMatchObject({
      scaleTargetRef: { kind: 'Deployment', name: 'team-web' },
      minReplicas: 3,
      maxReplicas: 9,
    })
  })

  it('sends the requests of the host to the web servers', () => {
    const { rules, tls, ingressClassName } = find(all, 'Ingress', 'team').spec
    expect([ingressClassName, tls]).toEqual([
      'edge',
      [{ hosts: ['chat.example.org'], secretName: 'certificate' }],
    ])
    const [{ backend }] = rules[0].http.paths
    expect([rules[0].host, backend.service]).toEqual([
      'chat.example.org',
      { name: 'team', port: { name: 'http' } },
    ])
  })

  it('lets only the given peers reach the servers', () => {
    const [web, worker] = ['web', 'worker'].map((role) => find(all, 'NetworkPolicy', `team-${role}`).spec)
    expect(web.ingress).toEqual([{ ports: [{ port: 'http' }], from: complete.networkPolicy.from }])
    expect(worker.ingress).toEqual([{ ports: [{ port: 'http' }], from: complete.networkPolicy.metricsFrom }])
    const closed = render({ ...withNames, networkPolicy: { enabled: true } })
    expect(find(closed, 'NetworkPolicy', 'team-worker').spec).toMatchObject({ policyTypes: ['Ingress'] })
    expect(find(closed, 'NetworkPolicy', 'team-worker').spec.ingress ?? []).toEqual([])
  })

  it('replaces the pods when a secret in its values changes', () => {
    function readSum(values: object): string | undefined {
      return readPod(render(values), 'web').metadata.annotations['checksum/secrets']
    }
    const changed = { ...withSecrets, secretEnv: { ...withSecrets.secretEnv, OPENAI_API_KEY: 'a' } }
    expect(readSum(changed)).not.toBe(readSum(withSecrets))
    expect(readSum({ ...withSecrets })).toBe(readSum(withSecrets))
  })

  it('uses the image of its own version, or the given one', () => {
    expect([readServer(few, 'web').image, readServer(all, 'worker').image]).toEqual([
      'lyceum:0.1.0',
      'registry.example.org/lyceum:1.2.3',
    ])
  })
})
