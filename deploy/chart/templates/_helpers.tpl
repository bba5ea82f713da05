{{- /* The Secret with the link, and its key; empty without one. */ -}}
{{- define "offprint.linkSecret" -}}
{{- with .Values.staticExport }}{{ if .bundleUrl }}{{ include "offprint.name" $ }}-link{{ else if .bundleUrlSecretRef.name }}{{ .bundleUrlSecretRef.name }}{{ end }}{{ end -}}
{{- end }}

{{- define "offprint.linkKey" -}}
{{- if .Values.staticExport.bundleUrl }}bundleUrl{{ else }}{{ .Values.staticExport.bundleUrlSecretRef.key }}{{ end -}}
{{- end }}

{{- /* Each replica has a volume of its own: then it is a StatefulSet. */ -}}
{{- define "offprint.isStateful" -}}
{{- if and .Values.persistence.enabled (not .Values.persistence.existingClaim) }}yes{{ end -}}
{{- end }}

{{- define "offprint.kind" -}}
{{- if include "offprint.isStateful" . }}StatefulSet{{ else }}Deployment{{ end -}}
{{- end }}

{{- define "offprint.args" -}}
- host
- --listen=0.0.0.0:8080
{{- with .Values.staticExport }}
{{- if include "offprint.linkSecret" $ }}
- --bundle-url-file=/etc/offprint/link/url
{{- else }}
- --bundle=/bundle/{{ .path }}
{{- end }}
{{- with .version }}
- --export-version={{ . }}
{{- end }}
{{- with .sha256 }}
- --sha256={{ . }}
{{- end }}
{{- with .publicKey }}
- --public-key={{ . }}
{{- end }}
- --max-bytes={{ int64 .maxBytes }}
{{- range .allowHttpHosts }}
- --allow-http={{ . }}
{{- end }}
{{- if .watchSeconds }}
- --watch-url={{ int .watchSeconds }}
{{- end }}
{{- end }}
{{- with .Values.trustedProxies }}
- --trusted-proxies={{ join "," . }}
{{- end }}
- --cache-dir=/cache
- --keep={{ int .Values.persistence.keep }}
{{- if not .Values.features.search }}
- --no-search
{{- end }}
{{- if .Values.features.mcp }}
- --mcp
{{- end }}
{{- if .Values.features.noindex }}
- --noindex
{{- end }}
{{- if .Values.readersSecretRef.name }}
- --readers=/etc/offprint/readers/readers
{{- end }}
{{- if .Values.tokenSecretRef.name }}
- --token-file=/etc/offprint/token/token
{{- end }}
{{- if .Values.tlsSecretName }}
- --tls-cert=/etc/offprint/tls/tls.crt
- --tls-key=/etc/offprint/tls/tls.key
{{- end }}
{{- if .Values.extraCaBundle }}
- --ca-file=/etc/offprint/ca/ca.crt
{{- end }}
{{- if not (include "offprint.sleeps" .) }}
- --drain=5
{{- end }}
{{- end }}

{{- /* The cluster can wait before it stops a container; the image has no shell to do it with. */ -}}
{{- define "offprint.sleeps" -}}
{{- if semverCompare ">=1.30-0" .Capabilities.KubeVersion.Version }}yes{{ end -}}
{{- end }}

