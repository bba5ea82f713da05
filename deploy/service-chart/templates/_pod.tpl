{{- /* A pod of the API or of a worker; `dict "root" $ "component" "api" "own" .Values.api`. */ -}}
{{- define "offprint.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    {{- include "offprint.componentLabels" . | nindent 4 }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # pods roll when the configuration changes
    checksum/config: {{ $values.config | sha256sum }}
    prometheus.io/scrape: "true"
    prometheus.io/port: "9090"
    prometheus.io/path: /metrics
    {{- with $values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "offprint.podSettings" $root | nindent 2 }}
  terminationGracePeriodSeconds: 40
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "offprint.componentSelector" . | nindent 10 }}
  containers:
    - name: offprint
      image: {{ include "offprint.image" $root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        - serve
        - --config=/etc/offprint/config/offprint.toml
        - --role={{ .component }}
        - --log=json
      env:
        {{- include "offprint.variables" . | nindent 8 }}
      {{- with $values.environmentSecretRef.name }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
          protocol: TCP
        - name: metrics
          containerPort: 9090
          protocol: TCP
      startupProbe:
        {{- include "offprint.probe" (dict "path" "/readyz") | nindent 8 }}
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        {{- include "offprint.probe" (dict "path" "/readyz") | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 2
        failureThreshold: 2
      livenessProbe:
        {{- include "offprint.probe" (dict "path" "/livez") | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      lifecycle:
        preStop:
          sleep:
            seconds: 5
      securityContext:
        {{- include "offprint.containerSecurity" $root | nindent 8 }}
      resources:
        {{- toYaml .own.resources | nindent 8 }}
      volumeMounts:
        - name: config
          mountPath: /etc/offprint/config
          readOnly: true
        {{- include "offprint.filesMount" $root | nindent 8 }}
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: config
      secret:
        secretName: {{ include "offprint.configSecret" $root }}
        defaultMode: 0440
        items:
          - key: {{ ternary "offprint.toml" $values.configSecretRef.key (not (empty $values.config)) }}
            path: offprint.toml
    {{- include "offprint.filesVolume" $root | nindent 4 }}
    - name: data
      emptyDir:
        sizeLimit: {{ .own.dataSize }}
    - name: tmp
      emptyDir:
        sizeLimit: 1Gi
{{- end }}

{{- /* What all pods have in common, that of the migration included. */ -}}
{{- define "offprint.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "offprint.podSecurity" . | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "offprint.filesMount" -}}
{{- if .Values.filesSecretRef.name -}}
- name: files
  mountPath: /etc/offprint/files
  readOnly: true
{{- end }}
{{- end }}

{{- define "offprint.filesVolume" -}}
{{- with .Values.filesSecretRef.name -}}
- name: files
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}
