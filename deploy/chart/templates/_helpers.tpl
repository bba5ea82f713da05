{{- define "offprint.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "offprint.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "offprint.labels" -}}
{{ include "offprint.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "offprint.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

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

{{- define "offprint.probe" -}}
httpGet:
  path: {{ .path }}
  port: http
  {{- if .tls }}
  scheme: HTTPS
  {{- end }}
{{- end }}

{{- /* What a network must leave out, as JSON: the addresses where clouds keep their credentials. An exception has to lie within its network. */ -}}
{{- define "offprint.except" -}}
{{- $network := lower . -}}
{{- $bits := int (last (splitList "/" $network)) -}}
{{- $secret := printf "networkPolicy.egress.cidrs: clouds keep their credentials in %s" . -}}
{{- if contains "." $network -}}
  {{- $octets := splitList "." $network -}}
  {{- $high := add (mul 256 (int (index $octets 0))) (int (index $octets 1)) -}}
  {{- /* 169.254, as one number */ -}}
  {{- $meant := 43518 -}}
  {{- range until (max 0 (sub 16 $bits) | int) -}}
    {{- $high = div $high 2 -}}{{- $meant = div $meant 2 -}}
  {{- end -}}
  {{- if ne (int $high) (int $meant) -}}[]
  {{- else if lt $bits 16 -}}["169.254.0.0/16"]
  {{- else -}}{{ fail $secret }}
  {{- end -}}
{{- else if eq $bits 0 -}}["fe80::/10", "fd00:ec2::254/128"]
{{- else if has $network (list "fc00::/7" "fd00::/8") -}}["fd00:ec2::254/128"]
{{- else if lt $bits 32 -}}{{ fail (printf "networkPolicy.egress.cidrs: %s is too wide to tell what lies in it; give 32 bits or more, or ::/0, fc00::/7, fd00::/8" .) }}
{{- else if regexMatch "^(fe[89ab]|fd00:0?ec2:)" $network -}}{{ fail $secret }}
{{- else -}}[]
{{- end -}}
{{- end }}
