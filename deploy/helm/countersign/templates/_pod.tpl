{{/* What the pods of all components have in common. Takes (dict "root" $ "component" NAME "own" VALUES). */}}

{{- define "countersign.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "countersign.containerSecurity" -}}
image: {{ include "countersign.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
workingDir: /opt/countersign
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 10001
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Secrets of a component: those of all, and its own; the migration has its own alone. */}}
{{- define "countersign.secrets" -}}
{{- if eq .component "migration" -}}{{ toYaml .own.secrets }}
{{- else -}}{{ toYaml (merge (dict) .own.secrets .root.Values.secrets) }}
{{- end -}}
{{- end }}

{{- define "countersign.env" -}}
- { name: SERVICE_ENV, value: production }
{{- range $name, $value := merge (dict) .own.environment .root.Values.environment }}
{{- if not (and (eq $.component "migration") (not (hasKey $.own.environment $name)) (not (has $name (list "TRUSTED_NETWORK" "LOG_LEVEL" "NODE_EXTRA_CA_CERTS")))) }}
- { name: {{ $name }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }} }
{{- end }}
{{- end }}
{{- range $name, $secret := include "countersign.secrets" . | fromYaml }}
- { name: {{ $name }}_FILE, value: /run/secrets/countersign/{{ $name }} }
{{- end }}
{{- end }}

{{/* Of API and worker, where there is a claim. */}}
{{- define "countersign.exportsEnv" -}}
{{- if .Values.exports.claim }}
- { name: EXPORT_DIRECTORY, value: /srv/countersign/exports }
{{- end }}
{{- end }}

{{- define "countersign.exportsMount" -}}
{{- if .Values.exports.claim }}
- { name: exports, mountPath: /srv/countersign/exports }
{{- end }}
{{- end }}

{{- define "countersign.exportsVolume" -}}
{{- with .Values.exports.claim }}
- name: exports
  persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
{{- end }}

{{- define "countersign.volumeMounts" -}}
- { name: secrets, mountPath: /run/secrets/countersign, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "countersign.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $name, $secret := include "countersign.secrets" . | fromYaml }}
      - secret:
          name: {{ $secret.name }}
          items: [{ key: {{ $secret.key | quote }}, path: {{ $name }} }]
      {{- end }}
{{- end }}

{{- define "countersign.placement" -}}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "countersign.selector" $.root | nindent 8 }}
        app.kubernetes.io/component: {{ $.component }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- with .own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
