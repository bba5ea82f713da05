{{- /* The Secret with the configuration: that of the values, or one of the operator's own. */ -}}
{{- define "offprint.configSecret" -}}
{{- if .Values.config }}{{ include "offprint.name" . }}-config{{ else }}{{ .Values.configSecretRef.name }}{{ end -}}
{{- end }}

{{- /* What selects the pods of one component; `dict "root" $ "component" "api"`. */ -}}
{{- define "offprint.componentSelector" -}}
{{ include "offprint.selector" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "offprint.componentLabels" -}}
{{ include "offprint.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* A variable from a Secret; `dict "name" … "secret" … "key" …`. */ -}}
{{- define "offprint.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end }}

{{- /* Variables of the API and of workers. */ -}}
{{- define "offprint.variables" -}}
{{- $values := .root.Values -}}
- name: OFFPRINT_SERVER_LISTEN
  value: 0.0.0.0:8080
- name: OFFPRINT_SERVER_METRICS_LISTEN
  value: 0.0.0.0:9090
- name: OFFPRINT_SERVER_DATA_DIR
  value: /data/offprint
- name: OFFPRINT_SERVER_PUBLIC_URL
  value: {{ $values.publicUrl | quote }}
{{- with $values.previewUrl }}
- name: OFFPRINT_SERVER_PREVIEW_URL
  value: {{ . | quote }}
{{- end }}
{{- with $values.trustedProxies }}
- name: OFFPRINT_SERVER_TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
- name: OFFPRINT_SERVER_ISOLATION
  value: {{ $values.isolation }}
{{- if eq .component "worker" }}
- name: OFFPRINT_SERVER_WORKERS
  value: {{ int $values.worker.jobs | quote }}
{{- end }}
{{ include "offprint.secretVariable" (dict "name" "OFFPRINT_STORE_URL" "secret" $values.database.secretRef.name "key" $values.database.secretRef.key) }}
- name: OFFPRINT_STORAGE_URL
  value: {{ $values.storage.url | quote }}
- name: AWS_REGION
  value: {{ $values.storage.region | quote }}
{{- with $values.storage.endpoint }}
- name: AWS_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- if $values.storage.allowHttp }}
- name: AWS_ALLOW_HTTP
  value: "true"
{{- end }}
{{- with $values.storage.credentialsSecretRef }}
{{- if .name }}
{{ include "offprint.secretVariable" (dict "name" "AWS_ACCESS_KEY_ID" "secret" .name "key" .accessKeyIdKey) }}
{{ include "offprint.secretVariable" (dict "name" "AWS_SECRET_ACCESS_KEY" "secret" .name "key" .secretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Where pods may go; `dict "to" values "what" "database"`. */ -}}
{{- define "offprint.egressRule" -}}
- to:
    {{- range .to.cidrs }}
    - ipBlock:
        cidr: {{ . }}
        {{- with include "offprint.except" . | fromJsonArray }}
        except: {{ toJson . }}
        {{- end }}
    {{- end }}
    {{- with .to.namespaces }}
    - namespaceSelector:
        matchExpressions:
          - key: kubernetes.io/metadata.name
            operator: In
            values: {{ toJson . }}
    {{- end }}
  ports:
    {{- range .to.ports }}
    - port: {{ int . }}
      protocol: TCP
    {{- end }}
{{- end }}
