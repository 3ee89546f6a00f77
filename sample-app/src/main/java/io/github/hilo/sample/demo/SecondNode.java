package io.github.hilo.sample.demo;

import java.io.File;
import java.nio.file.Path;

import com.mongodb.ConnectionString;
import io.github.hilo.sample.ShopApplication;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.system.ApplicationHome;

/**
 * How to start a second shop beside a running one.
 *
 * @param address where it will answer
 * @param command what starts it
 * @param complete whether the command can be used as it is; otherwise the server's
 * address had a user or options, which are left out
 */
record SecondNode(String address, String command, boolean complete) {

	private static final int HIGHEST_PORT = 65535;

	/**
	 * Describes the shop to start.
	 * @param port the running shop's port
	 * @param nodeTag the running shop's tag
	 * @param server the running shop's server
	 * @param database the running shop's database
	 */
	static SecondNode beside(int port, String nodeTag, ConnectionString server, String database) {
		int another = (port < HIGHEST_PORT) ? port + 1 : port - 1;
		String arguments = "--server.port=" + another + " --hilo.node-tag=" + tagAfter(nodeTag)
				+ " --spring.mongodb.uri=" + withoutSecrets(server, database);
		return new SecondNode("http://localhost:" + another, command(jar(), arguments), isBare(server));
	}

	static String command(@Nullable Path jar, String arguments) {
		return (jar != null) ? "java -jar \"" + jar + "\" " + arguments
				: "mvn -pl sample-app -am spring-boot:run -Dspring-boot.run.arguments=\"" + arguments + "\"";
	}

	private static @Nullable Path jar() {
		File source = new ApplicationHome(ShopApplication.class).getSource();
		if (source == null || !source.isFile()) {
			return null;
		}
		Path directory = Path.of("").toAbsolutePath();
		Path jar = source.toPath().toAbsolutePath();
		return jar.startsWith(directory) ? directory.relativize(jar) : jar;
	}

	static String tagAfter(String nodeTag) {
		return nodeTag.matches("[A-Y]") ? String.valueOf((char) (nodeTag.charAt(0) + 1)) : "B";
	}

	private static String withoutSecrets(ConnectionString server, String database) {
		return scheme(server) + String.join(",", server.getHosts()) + "/" + database;
	}

	private static boolean isBare(ConnectionString server) {
		String text = server.getConnectionString();
		return server.getCredential() == null && !text.contains("?");
	}

	private static String scheme(ConnectionString server) {
		return server.isSrvProtocol() ? "mongodb+srv://" : "mongodb://";
	}

}
