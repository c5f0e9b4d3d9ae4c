{{- define "mpc-node.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mpc-node.labels" -}}
{{ include "mpc-node.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
countersign/cluster: {{ .Values.cluster }}
{{- end }}

{{- define "mpc-node.container" -}}
image: {{ with .Values.image }}{{ if .digest }}{{ printf "%s@%s" .repository .digest | quote }}{{ else }}{{ printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) | quote }}{{ end }}{{ end }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 10001
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - { name: state, mountPath: /var/lib/mpc-node }
  - { name: store-key, mountPath: /run/secrets/mpc-node, readOnly: true }
{{- end }}
