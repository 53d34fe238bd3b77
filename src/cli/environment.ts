/** The variables a program under test reads to find its simulator. */
export const environmentOf = (instance: {
  url: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  webhookPublicKey: string;
}): Record<string, string> => ({
  SERVICE_SIM_URL: instance.url,
  SERVICE_SIM_API_URL: instance.apiUrl,
  SERVICE_SIM_CLIENT_ID: instance.clientId,
  SERVICE_SIM_CLIENT_SECRET: instance.clientSecret,
  SERVICE_SIM_WEBHOOK_PUBLIC_KEY: instance.webhookPublicKey,
});
