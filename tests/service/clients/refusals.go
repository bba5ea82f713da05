// Refusals over kept connections with net/http: go run refusals.go PORT COUNT.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	asked := []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/v1/static-export/jobs", strings.Repeat("{}", 1000), 401},
		{"POST", "/nowhere", "{}", 404},
		{"PUT", "/v1/static-export/jobs", strings.Repeat("{}", 500), 405},
		{"POST", "/v1/project/preview/x", strings.Repeat("{}", 30000), 401},
	}
	errors, wrong := 0, 0
	for number := 0; number < count; number++ {
		next := asked[number%len(asked)]
		// a reader of a type that the library does not know cannot be sent again: nothing is retried
		request, _ := http.NewRequest(next.method, "http://127.0.0.1:"+os.Args[1]+next.path, io.NopCloser(strings.NewReader(next.body)))
		request.ContentLength = int64(len(next.body))
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			if errors == 0 {
				fmt.Println("  first:", err)
			}
			errors++
			continue
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode != next.status {
			wrong++
		}
	}
	fmt.Printf("go: %d refusals, %d errors, %d other answers\n", count, errors, wrong)
	if errors+wrong > 0 {
		os.Exit(1)
	}
}
