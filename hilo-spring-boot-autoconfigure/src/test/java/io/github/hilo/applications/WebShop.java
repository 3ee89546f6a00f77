package io.github.hilo.applications;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;

import io.github.hilo.autoconfigure.HiLoAutoConfiguration;
import io.github.hilo.autoconfigure.HiLoRestAutoConfiguration;
import io.github.hilo.fixture.ApplicationDatabase;

import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.HttpEncodingAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.http.HttpMethod;

/**
 * An application on a Tomcat that listens, and a client that sends paths as they are.
 *
 * @param context the application
 */
record WebShop(AnnotationConfigServletWebServerApplicationContext context) implements AutoCloseable {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	static WebShop start(ApplicationDatabase database, Class<?> configuration) {
		String[] arguments = Stream.concat(Stream.of("server.port=0"), Stream.of(database.connectionProperties()))
			.map("--"::concat)
			.toArray(String[]::new);
		return new WebShop(
				(AnnotationConfigServletWebServerApplicationContext) new SpringApplicationBuilder(Infrastructure.class,
						configuration)
					.bannerMode(Banner.Mode.OFF)
					.run(arguments));
	}

	HttpResponse<String> get(String path) {
		return send(HttpMethod.GET, url(path), "");
	}

	HttpResponse<String> send(HttpMethod method, URI url, String body) {
		HttpRequest request = HttpRequest.newBuilder(url)
			.header("Content-Type", "application/json")
			.method(method.name(), BodyPublishers.ofString(body))
			.build();
		try {
			return HTTP.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	URI url(String path) {
		var server = this.context.getWebServer();
		if (server == null) {
			throw new IllegalStateException("The server has not started.");
		}
		return URI.create("http://localhost:" + server.getPort() + path);
	}

	@Override
	public void close() {
		this.context.close();
	}

	@ImportAutoConfiguration({ MongoAutoConfiguration.class, DataMongoAutoConfiguration.class,
			HiLoAutoConfiguration.class, HiLoRestAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class,
			DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
			HttpEncodingAutoConfiguration.class, JacksonAutoConfiguration.class,
			HttpMessageConvertersAutoConfiguration.class })
	static class Infrastructure {

	}

}
