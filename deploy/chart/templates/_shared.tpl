{{- /* What the charts of the host and of the service have in common: one of them has this file, the other one a link to it. */ -}}
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
{{- $secret := printf "networkPolicy: clouds keep their credentials in %s" . -}}
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
{{- else if lt $bits 32 -}}{{ fail (printf "networkPolicy: %s is too wide to tell what lies in it; give 32 bits or more, or ::/0, fc00::/7, fd00::/8" .) }}
{{- else if regexMatch "^(fe[89ab]|fd00:0?ec2:)" $network -}}{{ fail $secret }}
{{- else -}}[]
{{- end -}}
{{- end }}

{{- /* The restricted profile of Kubernetes: for a pod, and for its container. */ -}}
{{- define "offprint.podSecurity" -}}
runAsNonRoot: true
{{- if not .Values.openshift }}
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "offprint.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Name resolution in the cluster, as a rule of a network policy. */ -}}
{{- define "offprint.dnsRule" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: {{ ternary "openshift-dns" "kube-system" .Values.openshift }}
  ports:
    {{- /* rules see the port of the pod that answers */}}
    {{- range list "UDP" "TCP" }}
    - port: {{ ternary 5353 53 $.Values.openshift }}
      protocol: {{ . }}
    {{- end }}
{{- end }}
