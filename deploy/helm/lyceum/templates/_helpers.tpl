{{/* The names of objects begin with the name of the release. */}}
{{- define "lyceum.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "lyceum.selector" -}}
app.kubernetes.io/name: lyceum
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lyceum.labels" -}}
{{ include "lyceum.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "lyceum.secretName" -}}
{{- .Values.existingSecret | default (printf "%s-env" (include "lyceum.name" .)) -}}
{{- end -}}

{{- define "lyceum.keysName" -}}
{{- .Values.keys.existingSecret | default (printf "%s-keys" (include "lyceum.name" .)) -}}
{{- end -}}

{{/* Refuses values with which no server would start. Every workload includes it. */}}
{{- define "lyceum.require" -}}
{{- range $name := list "PUBLIC_URL" "S3_BUCKET" -}}
{{- if not (index $.Values.env $name) -}}
{{- fail (printf "Set env.%s: no server starts without it." $name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.existingSecret .Values.secretEnv -}}
{{- fail "Set either secretEnv or existingSecret, not both." -}}
{{- end -}}
{{- if not .Values.existingSecret -}}
{{- range $name := list "DATABASE_URL" "SMTP_URL" -}}
{{- if not (index $.Values.secretEnv $name) -}}
{{- fail (printf "Set secretEnv.%s, or existingSecret to the name of a Secret that contains %s." $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq (empty .Values.keys.content) (empty .Values.keys.existingSecret) -}}
{{- fail "Set either keys.content or keys.existingSecret: all servers need the same keys." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- fail "Set ingress.host to the host that users open." -}}
{{- end -}}
{{- end -}}

{{/* A pod of the given role: dict "root" $ "role" "web". */}}
{{- define "lyceum.pod" -}}
{{- $root := .root -}}
{{- include "lyceum.require" $root -}}
metadata:
  labels:
    {{- include "lyceum.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    # So that a change of either replaces the pods.
    checksum/secrets: {{ list $root.Values.secretEnv $root.Values.keys | toJson | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if eq .role "migrate" }}
  restartPolicy: Never
  {{- else }}
  # Longer than DRAIN_SECONDS and the 15 s that a stop takes afterwards.
  terminationGracePeriodSeconds: {{ add $root.Values.drainSeconds 20 }}
  # On different machines, if there are several.
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "lyceum.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile:
      type: RuntimeDefault
  {{- with $root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    # The server accepts only keys in a file of its own user that nobody else can read. Files of a Secret belong to root.
    - name: keys
      image: {{ include "lyceum.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: [install, -m, '600', /keys/secrets.json, /data/secrets.json]
      securityContext:
        {{- include "lyceum.securityContext" $root | nindent 8 }}
      resources:
        requests: {cpu: 10m, memory: 16Mi}
        limits: {memory: 64Mi}
      volumeMounts:
        - name: keys
          mountPath: /keys
          readOnly: true
        - name: data
          mountPath: /data
  containers:
    - name: lyceum
      image: {{ include "lyceum.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- if eq .role "migrate" }}
      command: [lyceum, migrate]
      {{- end }}
      securityContext:
        {{- include "lyceum.securityContext" $root | nindent 8 }}
      env:
        - name: CLUSTER
          value: 'true'
        - name: RUN
          value: {{ ternary "all" .role (eq .role "migrate") }}
        - name: NODE_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        - name: HOST
          value: 0.0.0.0
        - name: PORT
          value: '3000'
        # A folder that the server creates, so that nobody else can read it.
        - name: DATA_DIR
          value: /data/lyceum
        - name: SECRETS_FILE
          value: /data/secrets.json
        - name: DRAIN_SECONDS
          value: {{ $root.Values.drainSeconds | quote }}
        {{- range $name, $value := $root.Values.env }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      envFrom:
        - secretRef:
            name: {{ include "lyceum.secretName" $root }}
      {{- if ne .role "migrate" }}
      ports:
        - name: http
          containerPort: 3000
      # A server waits for up to a minute until the schema was upgraded.
      startupProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 1
      {{- end }}
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: data
      emptyDir:
        sizeLimit: {{ $root.Values.dataSize }}
    - name: tmp
      emptyDir:
        sizeLimit: 256Mi
    - name: keys
      secret:
        secretName: {{ include "lyceum.keysName" $root }}
        defaultMode: 0440
        items:
          - key: secrets.json
            path: secrets.json
{{- end -}}

{{- define "lyceum.image" -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
{{- end -}}

{{- define "lyceum.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
