{{- define "verifyhub.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "verifyhub.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "verifyhub.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "verifyhub.labels" -}}
{{ include "verifyhub.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* What every container of the hub is told; secrets come as files. */}}
{{- define "verifyhub.environment" -}}
- {name: VERIFYHUB_HOME, value: /var/lib/verifyhub}
- {name: VERIFYHUB_SECRET_KEY_FILE, value: /run/secrets/verifyhub/secret-key}
- {name: DATABASE_URL_FILE, value: /run/secrets/verifyhub/database-url}
- {name: BROKER_URL_FILE, value: /run/secrets/verifyhub/broker-url}
{{- range $setting, $key := .Values.secret.settings }}
- {name: {{ $setting }}_FILE, value: /run/secrets/verifyhub/{{ $key }}}
{{- end }}
{{- range $setting, $value := .Values.settings }}
- {name: {{ $setting }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- end -}}

{{- define "verifyhub.confined" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end -}}

{{/* Mounts of a container of the hub; each pod has a home of its own. */}}
{{- define "verifyhub.mounts" -}}
- {name: home, mountPath: /var/lib/verifyhub}
- {name: temporary, mountPath: /tmp}
- {name: secrets, mountPath: /run/secrets/verifyhub, readOnly: true}
{{- end -}}

{{/* The pod around the containers. */}}
{{- define "verifyhub.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - {name: {{ . }}}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "verifyhub.volumes" -}}
- name: home
  emptyDir: {sizeLimit: {{ .Values.temporarySize }}}
- name: temporary
  emptyDir: {sizeLimit: {{ .Values.temporarySize }}}
- name: secrets
  secret: {secretName: {{ .Values.secret.name }}, defaultMode: 0440}
{{- end -}}
