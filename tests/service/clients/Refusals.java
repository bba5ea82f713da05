// Refusals over kept connections with java.net.http: java Refusals.java PORT COUNT.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Refusals {
    record Asked(String method, String path, String body, int status) {}

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        Asked[] asked = {
            new Asked("POST", "/v1/static-export/jobs", "{}".repeat(1000), 401),
            new Asked("POST", "/nowhere", "{}", 404),
            new Asked("PUT", "/v1/static-export/jobs", "{}".repeat(500), 405),
            new Asked("POST", "/v1/project/preview/x", "{}".repeat(30000), 401),
        };
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        int errors = 0, wrong = 0;
        for (int number = 0; number < count; number++) {
            Asked next = asked[number % asked.length];
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + arguments[0] + next.path()))
                .header("Content-Type", "application/json")
                .method(next.method(), HttpRequest.BodyPublishers.ofString(next.body()))
                .build();
            try {
                if (client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() != next.status()) wrong++;
            } catch (java.io.IOException error) {
                if (errors++ == 0) System.out.println("  first: " + error);
            }
        }
        System.out.printf("java: %d refusals, %d errors, %d other answers%n", count, errors, wrong);
        System.exit(errors + wrong > 0 ? 1 : 0);
    }
}
