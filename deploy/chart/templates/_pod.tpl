{{- define "offprint.pod" -}}
{{- $tls := .Values.tlsSecretName -}}
metadata:
  labels:
    {{- include "offprint.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # pods roll when anything about the bundle changes; of the link only this digest is here
    checksum/static-export: {{ toJson .Values.staticExport | sha256sum }}
    {{- with .Values.extraCaBundle }}
    checksum/ca: {{ sha256sum . }}
    {{- end }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 40
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "offprint.podSecurity" . | nindent 4 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "offprint.selector" . | nindent 10 }}
  containers:
    - name: offprint
      image: {{ include "offprint.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args:
        {{- include "offprint.args" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 8080
          protocol: TCP
      startupProbe:
        {{- include "offprint.probe" (dict "path" "/readyz" "tls" $tls) | nindent 8 }}
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        {{- include "offprint.probe" (dict "path" "/readyz" "tls" $tls) | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 2
        failureThreshold: 2
      livenessProbe:
        {{- include "offprint.probe" (dict "path" "/livez" "tls" $tls) | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      {{- if include "offprint.sleeps" . }}
      lifecycle:
        preStop:
          sleep:
            seconds: 5
      {{- end }}
      securityContext:
        {{- include "offprint.containerSecurity" . | nindent 8 }}
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: cache
          mountPath: /cache
        - name: tmp
          mountPath: /tmp
        {{- if include "offprint.linkSecret" . }}
        - name: link
          mountPath: /etc/offprint/link
          readOnly: true
        {{- else }}
        - name: bundle
          mountPath: /bundle
          readOnly: true
        {{- end }}
        {{- if .Values.readersSecretRef.name }}
        - name: readers
          mountPath: /etc/offprint/readers
          readOnly: true
        {{- end }}
        {{- if .Values.tokenSecretRef.name }}
        - name: token
          mountPath: /etc/offprint/token
          readOnly: true
        {{- end }}
        {{- if $tls }}
        - name: tls
          mountPath: /etc/offprint/tls
          readOnly: true
        {{- end }}
        {{- if .Values.extraCaBundle }}
        - name: ca
          mountPath: /etc/offprint/ca
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: {{ .Values.tmpSizeLimit }}
    {{- if .Values.persistence.existingClaim }}
    - name: cache
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim }}
    {{- else if not .Values.persistence.enabled }}
    - name: cache
      emptyDir:
        sizeLimit: {{ .Values.persistence.size }}
    {{- end }}
    {{- with include "offprint.linkSecret" . }}
    - name: link
      secret:
        secretName: {{ . }}
        defaultMode: 0440
        items:
          - key: {{ include "offprint.linkKey" $ }}
            path: url
    {{- else }}
    - name: bundle
      persistentVolumeClaim:
        claimName: {{ .Values.staticExport.existingClaim }}
        readOnly: true
    {{- end }}
    {{- with .Values.readersSecretRef }}{{ if .name }}
    - name: readers
      secret:
        secretName: {{ .name }}
        defaultMode: 0440
        items:
          - key: {{ .key }}
            path: readers
    {{- end }}{{ end }}
    {{- with .Values.tokenSecretRef }}{{ if .name }}
    - name: token
      secret:
        secretName: {{ .name }}
        defaultMode: 0440
        items:
          - key: {{ .key }}
            path: token
    {{- end }}{{ end }}
    {{- with $tls }}
    - name: tls
      secret:
        secretName: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- if .Values.extraCaBundle }}
    - name: ca
      configMap:
        name: {{ include "offprint.name" . }}-ca
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
